import { seenText } from '../../protocol/seen-text.ts';

/** Nobody types them, and each would be six characters of an address. */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/g;

/** What somebody has typed into a form: a line end of it is two characters, and one to whoever typed it. */
export function typedText(field: string | undefined): string {
  return seenText(field ?? '')
    .replaceAll('\r\n', '\n')
    .replaceAll(CONTROLS, ' ')
    .trim();
}
