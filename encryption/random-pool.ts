/** Random bytes of the system, drawn many at a time: the draw of a few takes as long as that of thousands. */
import { randomBytes } from 'node:crypto';

const POOL_BYTES = 4_096;

let pool = Buffer.alloc(0);
let used = 0;

/** Given out once. `size`: at most 4,096; what is asked for here is a nonce or an id. */
export function takeRandomBytes(size: number): Buffer {
  if (used + size > pool.length) {
    // A new one each time: what was given out of the former is a view of it.
    pool = randomBytes(POOL_BYTES);
    used = 0;
  }
  used += size;
  return pool.subarray(used - size, used);
}
