import { describe, expect, it } from '@jest/globals';
import { oneLine } from '../../../protocol/one-line.ts';

describe('oneLine', () => {
  it.each([
    ['as it is', 10, 'as it is'],
    ['two\r\n lines\tand \u0000more', 40, 'two lines and more'],
    ['turned \u202eback', 40, 'turned back'],
    ['half a \ud800 character', 40, 'half a character'],
    ['12345', 5, '12345'],
    ['123456', 5, '1234…'],
    ['😀😀😀', 2, '😀…'],
  ])('writes %j in %d as %j', (text, maxChars, line) => {
    expect(oneLine(text, maxChars)).toBe(line);
  });
});
