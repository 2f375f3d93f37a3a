/** Joiners and selectors of variants pass: some scripts and pictures are not written without them. */
const UNSEEN = /(?![\u200c\u200d\p{Variation_Selector}])[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** `text` without what is not seen or turns around what is seen; a person would read one text there, and a model another one. */
export function seenText(text: string): string {
  return text.replace(UNSEEN, '');
}
