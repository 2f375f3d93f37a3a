/** Text in which a reader sees all that is there. */

/**
 * Control, direction and invisible characters, halves of characters, and what stands for something that could not be read. The
 * two joiners and selectors of variants are for `NEEDLESS`.
 */
const UNSEEN =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffd]|(?![\u200c\u200d\p{Variation_Selector}])[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]|\p{Cs}/u;
/** Some scripts are not written without them, and pictures are put together by them; behind all else they change nothing to be seen. */
const NEEDLESS =
  /(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]|(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Inherited}])[\p{L}\p{M}])[\u200c\u200d\p{Variation_Selector}]/u;

/** Whether something in `text` is not seen, or turns around what is seen. */
export function hasUnseen(text: string): boolean {
  return UNSEEN.test(text) || NEEDLESS.test(text);
}
