import { describe, expect, it } from '@jest/globals';
import { TASK_ID_PATTERN } from '../../../protocol/extension.ts';

describe('TASK_ID_PATTERN', () => {
  it('takes 128 bits in base64url', () => {
    expect('A-z_0123456789abcdefgh').toMatch(TASK_ID_PATTERN);
  });

  it.each([
    [''],
    ['__proto__'],
    ['A-z_0123456789abcdefg'],
    ['A-z_0123456789abcdefghi'],
    ['A-z_0123456789abcdefg/'],
    ['A-z_0123456789abcdefgh\n'],
  ])('refuses %j', (id) => {
    expect(id).not.toMatch(TASK_ID_PATTERN);
  });
});
