import { describe, expect, it } from '@jest/globals';
import { typedText } from '../../../../server/inbox/typed-text.ts';

describe('typedText', () => {
  it.each([
    [undefined, ''],
    [' two\r\nlines ', 'two\nlines'],
    ['a\u0000b', 'a b'],
    // What a person does not see would still be read by a model.
    ['yes\u{e0073}\u{e0065}\u{e006c}\u{e006c}', 'yes'],
    ['no\u202eway', 'noway'],
    ['می\u200cخواهم', 'می\u200cخواهم'],
  ])('makes %j into %j', (field, text) => {
    expect(typedText(field)).toBe(text);
  });
});
