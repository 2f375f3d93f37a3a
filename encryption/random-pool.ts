/** Random bytes of the system, drawn many at a time: the draw of a few takes as long as that of thousands. */
import { randomBytes } from 'node:crypto';

const POOL_BYTES = 4_096;

let pool = Buffer.alloc(0);
let used = 0;

/** Given out once. Meant for a nonce or an id: what is larger than the pool is drawn on its own. */
export function takeRandomBytes(size: number): Buffer {
  if (size > POOL_BYTES) return randomBytes(size);
  if (used + size > pool.length) {
    // A new one each time: what was given out of the former is a view of it.
    pool = randomBytes(POOL_BYTES);
    used = 0;
  }
  used += size;
  return pool.subarray(used - size, used);
}
