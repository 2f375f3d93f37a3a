import { describe, expect, it } from '@jest/globals';
import { boundedError, boundedResult } from '../../../protocol/bounded-answer.ts';
import type { ToolResult } from '../../../protocol/task.ts';

const KB = 1024;
const withText = (chars: number): ToolResult => ({ content: [{ type: 'text', text: 'x'.repeat(chars) }] });

describe('boundedResult', () => {
  it('lets a result of up to 600 KB be', () => {
    const result = withText(599 * KB);
    expect(boundedResult(result)).toBe(result);
  });

  it('puts an error that names the limit in the place of a larger one', () => {
    expect(boundedResult(withText(600 * KB))).toEqual({
      content: [{ type: 'text', text: "The tool's result is larger than 600 KB. Ask for less at once." }],
      isError: true,
    });
  });
});

describe('boundedError', () => {
  it('lets an error of up to 600 KB be', () => {
    const error = { code: -31555, message: 'No.', data: 'x'.repeat(599 * KB) };
    expect(boundedError(error)).toBe(error);
  });

  it('leaves out data that is too large, and says so', () => {
    expect(boundedError({ code: -31555, message: 'No such quota.', data: 'x'.repeat(600 * KB) })).toEqual({
      code: -31555,
      message: 'No such quota. (The rest is left out: it is larger than 600 KB.)',
    });
  });

  it('cuts a message that is too large', () => {
    const { message } = boundedError({ code: -31555, message: 'x'.repeat(2_000 * KB) });
    expect(message).toBe(`${'x'.repeat(1_000)} (The rest is left out: it is larger than 600 KB.)`);
  });
});
