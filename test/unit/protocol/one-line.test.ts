import { describe, expect, it } from '@jest/globals';
import { oneLine } from '../../../protocol/one-line.ts';
import { verifies } from '../../support/verifies.ts';

describe('oneLine', () => {
  it.each([
    ['as it is', 10, 'as it is'],
    ['two\r\n lines\tand \u0000more', 40, 'two lines and more'],
    ['turned \u202eback', 40, 'turned back'],
    ['to\u{e0067}\u{e006f} be\u3164 sold', 40, 'to be sold'],
    ['1\u200f2\u200e3\u061c4\u2060', 40, '1234'],
    ['Arbeits\u00adzeit', 40, 'Arbeitszeit'],
    ['می\u200cخواهم 👨\u200d🔧', 40, 'می\u200cخواهم 👨\u200d🔧'],
    ['half a \ud800 character', 40, 'half a character'],
    ['12345', 5, '12345'],
    ['123456', 5, '1234…'],
    ['😀😀😀', 2, '😀…'],
  ])('writes %j in %d as %j', (text, maxChars, line) => {
    verifies('tools.validate');
    expect(oneLine(text, maxChars)).toBe(line);
  });
});
