import { PayloadTooLarge } from '../task-store.ts';

/** Temporal refuses payloads of 2 MB; the input holds the arguments and a little more. */
export const MAX_ARGUMENT_BYTES = 1_500_000;
/** Answers stand in the history for good. */
export const MAX_ANSWER_BYTES = 256 * 1024;

/** Said at the door: what Temporal refuses later would look like a fault of this server. @throws PayloadTooLarge */
export function requireSize(what: string, value: unknown, maxBytes: number): void {
  const bytes = Buffer.byteLength(JSON.stringify(value));
  if (bytes <= maxBytes) return;
  throw new PayloadTooLarge(
    `The ${what} take ${String(bytes)} bytes; at most ${String(maxBytes)} are taken. Send less.`,
  );
}
