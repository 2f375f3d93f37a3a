import { describe, expect, it } from '@jest/globals';
import { exactError, exactResult } from '../../../protocol/exact-answer.ts';

describe('exactResult', () => {
  it('is the very result when JSON carries it', () => {
    const result = { content: [], structuredContent: { mean: 1.5 } };
    expect(exactResult(result)).toBe(result);
  });

  it('is a tool error that names the member otherwise', () => {
    expect(exactResult({ content: [], structuredContent: { mean: Number.NaN } })).toEqual({
      content: [
        {
          type: 'text',
          text: "The tool's result holds a value that JSON cannot carry, at $.structuredContent.mean.",
        },
      ],
      isError: true,
    });
  });
});

describe('exactError', () => {
  it.each([
    { code: -31555, message: 'No such quota.' },
    { code: -31555, message: 'No such quota.', data: { quota: 3 } },
  ])('is the very error when JSON carries it: %j', (error) => {
    expect(exactError(error)).toBe(error);
  });

  it('keeps code and message and names the member otherwise', () => {
    expect(exactError({ code: -31555, message: 'No such quota.', data: { quota: Number.NaN } })).toEqual({
      code: -31555,
      message: 'No such quota. (Its data is left out: it holds a value that JSON cannot carry, at $.data.quota.)',
    });
  });
});
