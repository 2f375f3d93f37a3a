import { describe, expect, it } from '@jest/globals';
import type { DetailedTask } from '../../../protocol/task.ts';
import { createTaskJournal } from '../../support/task-journal.ts';

const at = (second: number): string => new Date(second * 1_000).toISOString();
const base = { taskId: 't', createdAt: at(0), lastUpdatedAt: at(1), ttlMs: 1, pollIntervalMs: 1 };
const question = { method: 'elicitation/create', params: {} } as const;
const working: DetailedTask = { ...base, status: 'working' };
const asking: DetailedTask = { ...base, status: 'input_required', inputRequests: { k: question } };
const cancelled: DetailedTask = { ...base, status: 'cancelled' };
const failed: DetailedTask = { ...base, status: 'failed', error: { code: 1, message: '' } };

/** One read after the other. */
function recordAll(...tasks: readonly DetailedTask[]): void {
  const journal = createTaskJournal();
  for (const task of tasks) journal.record(task, performance.now());
}

describe('record', () => {
  it('takes a task that asks, works and ends', () => {
    recordAll(working, asking, working, { ...asking, inputRequests: { other: question } }, working, failed, failed);
    expect(() => recordAll(working)).not.toThrow();
  });

  it.each<readonly [string, readonly DetailedTask[]]>([
    ['came back to life', [cancelled, working]],
    ['ended twice', [cancelled, failed]],
    ['ended twice', [failed, { ...failed, lastUpdatedAt: at(2) }]],
    ['lastUpdatedAt went back', [working, { ...working, lastUpdatedAt: at(0.5) }]],
    ['createdAt changed', [working, { ...working, createdAt: at(0.5) }]],
    ['the key k was gone and is open again', [asking, working, asking]],
    ['wrong fields', [{ ...failed, status: 'cancelled' }]],
    ['wrong fields', [{ ...asking, inputRequests: {} }]],
    ['wrong fields', [{ ...base, status: 'completed' } as DetailedTask]],
  ])('refuses one that %s', (rule, tasks) => {
    expect(() => recordAll(...tasks)).toThrow(rule);
  });

  it('takes an older view of a read that began before the newer one was answered', () => {
    const journal = createTaskJournal();
    const startedAt = performance.now();
    journal.record({ ...working, lastUpdatedAt: at(2) }, startedAt);
    journal.record(asking, startedAt);
    expect(() => journal.record(asking, performance.now())).toThrow('lastUpdatedAt went back');
  });
});
