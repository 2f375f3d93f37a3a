/** Text in which a reader sees all that is there. */

/**
 * Control, direction and invisible characters, halves of characters, and what stands for something that could not be read. The
 * two joiners pass: some scripts are not written without them.
 */
const UNSEEN =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffd]|(?![\u200c\u200d])[\p{Cf}\p{Zl}\p{Zp}]|\p{Cs}/u;

/** Whether something in `text` is not seen, or turns around what is seen. */
export function hasUnseen(text: string): boolean {
  return UNSEEN.test(text);
}
