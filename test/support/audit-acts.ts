/** Acts of tasks, as the audit is handed them. */
import type { Act, ActBatch } from '../../protocol/act.ts';
import type { Approval } from '../../protocol/approval.ts';

export const START = Date.UTC(2026, 0, 5);

export function batch(taskId: string, acts: readonly Act[], queue: readonly Approval[] = []): ActBatch {
  return { task: { workflowId: `mcp-task/p/${taskId}`, taskId, tool: 'buy', caller: 'p' }, acts, queue };
}

export function act(seq: number, more: Partial<Act> = {}): Act {
  return { seq, at: START + seq, type: 'effect', about: `step ${String(seq)}`, data: { words: 'Post' }, ...more };
}

export function approval(id: string, more: Partial<Approval> = {}): Approval {
  return {
    id,
    title: `Order ${id}`,
    details: {},
    reason: 'Policy',
    quorum: 1,
    rejectOptions: [],
    canRequestChanges: false,
    documents: [],
    requestedBy: 'somebody',
    roles: ['finance'],
    people: [],
    openedAt: START,
    dueAt: START + 1_000,
    votes: [],
    ...more,
  };
}
