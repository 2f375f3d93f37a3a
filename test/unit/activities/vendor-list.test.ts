import { describe, expect, it } from '@jest/globals';
import { hasUnseen } from '../../../activities/plain-text.ts';
import { isSameVendor } from '../../../activities/vendor-list.ts';

describe('a vendor', () => {
  it.each([
    ['in another case and width', 'ＥＸＡＭＰＬＥ blocked'],
    ['with other spaces', ' Example \u00a0Blocked '],
    ['with a soft hyphen', 'Example Blo\u00adcked'],
    ['with a word joiner', 'Example Blocked\u2060'],
    ['with a joiner that no letter needs', 'Example\u200d Blocked'],
    ['with a filler', 'Example Blocked\u3164'],
  ])('is the same %s', (_how, name) => {
    expect(isSameVendor('Example Blocked', name)).toBe(true);
  });

  it('is another with another letter', () => {
    expect(isSameVendor('Example Blocked', 'Example Blocker')).toBe(false);
  });
});

describe('text that shows all that is there', () => {
  it.each(['Bürobedarf & Söhne, 東京', 'a\tb\r\nc', 'می\u200cخواهم', 'क्\u200dष', '👨🏽\u200d🔧', '葛\u{e0100}'])(
    '%s',
    (text) => {
      expect(hasUnseen(text)).toBe(false);
    },
  );

  it.each([
    '\u0000',
    '\u00ad',
    '\u061c',
    '\u200b',
    '\u200e',
    '\u2028',
    '\u202e',
    '\u2060',
    '\u2066',
    '\ufeff',
    '\u200d',
    '\u034f',
    '\u3164',
    '\ufe0f',
    '\u{e0041}',
    '\ud800',
    '\ufffd',
  ])('not with %j', (character) => {
    expect(hasUnseen(`Example${character} Trading`)).toBe(true);
  });
});
