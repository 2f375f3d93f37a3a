import { describe, expect, it } from '@jest/globals';
import { TASK_ID_PATTERN } from '../../../protocol/extension.ts';
import { verifies } from '../../support/verifies.ts';

describe('TASK_ID_PATTERN', () => {
  it('takes 128 bits in base64url', () => {
    verifies('sec.entropy');
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
