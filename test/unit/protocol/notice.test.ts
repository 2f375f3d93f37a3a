import { describe, expect, it } from '@jest/globals';
import { isForRequester } from '../../../protocol/notice.ts';

describe('isForRequester', () => {
  it.each(['approval.needed', 'approval.reminder', 'approval.escalated', 'approval.expiring'] as const)(
    'leaves %s to those who are asked',
    (kind) => {
      expect(isForRequester(kind)).toBe(false);
    },
  );

  it.each(['approval.decided', 'question.open', 'task.expiring', 'task.finished'] as const)(
    'has %s reach whoever has called',
    (kind) => {
      expect(isForRequester(kind)).toBe(true);
    },
  );
});
