import { describe, expect, it } from '@jest/globals';
import { seedState, toSnapshot, type TaskSeed } from '../../../protocol/task-state.ts';
import type { InputRequest } from '../../../protocol/task.ts';
import { TaskRecord } from '../../../workflows/task-record.ts';

const SEED: TaskSeed = { taskId: 'T', createdAt: 0, ttlMs: 10 ** 15, pollIntervalMs: 1_000 };
const REQUEST: InputRequest = { method: 'elicitation/create', params: { message: 'Which one?' } };

describe('carried', () => {
  it('stays small after 10,000 closed keys, whether answered or withdrawn', () => {
    const state = seedState(SEED);
    const record = new TaskRecord(state, toSnapshot(state));
    for (let count = 0; count < 10_000; count += 1) {
      const key = `form-${crypto.randomUUID()}`;
      record.apply({ type: 'asked', requests: { [key]: REQUEST } });
      const isAnswered = count % 2 === 0;
      record.apply(isAnswered ? { type: 'answered', keys: [key], receivedAt: 0 } : { type: 'withdrawn', keys: [key] });
    }
    expect(record.state.rev).toBe(20_000);
    expect(JSON.stringify(record.carried).length).toBeLessThan(1_000);
  });
});
