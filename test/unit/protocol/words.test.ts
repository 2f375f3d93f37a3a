import { describe, expect, it } from '@jest/globals';
import { taskFileUri } from '../../../protocol/blob-ref.ts';
import { expiredText, internalErrorText } from '../../../protocol/task-failure.ts';
import { isTerminal } from '../../../protocol/task.ts';

describe('isTerminal', () => {
  it.each([
    ['working', false],
    ['input_required', false],
    ['completed', true],
    ['failed', true],
    ['cancelled', true],
  ] as const)('of %s is %s', (status, expected) => {
    expect(isTerminal(status)).toBe(expected);
  });
});

describe('taskFileUri', () => {
  it('escapes the name', () => {
    expect(taskFileUri('t1', 'order 1/ä.pdf')).toBe('task://t1/order%201%2F%C3%A4.pdf');
  });
});

describe('the fixed texts', () => {
  it('name the task and the moment, and nothing from inside', () => {
    expect(internalErrorText('t1')).toContain('t1');
    expect(expiredText(Date.UTC(2026, 0, 2))).toContain('2026-01-02T00:00:00.000Z');
  });
});
