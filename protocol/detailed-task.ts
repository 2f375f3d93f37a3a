/** A task's state as `tasks/get` and `notifications/tasks` show it. */
import { waitingText } from './approval.ts';
import { isWaitedFor } from './link-holder.ts';
import { statusOf, type TaskSnapshot } from './task-state.ts';
import type { DetailedTask } from './task.ts';

/** At most so often need a client ask for a task that waits for a person. */
const PERSON_POLL_INTERVAL_MS = 5_000;

/** The wire form. Spec: tasks.md, Task Polling: one extra field by status. */
export function toDetailedTask(state: TaskSnapshot): DetailedTask {
  const statusMessage = statusMessageOf(state);
  const base = {
    taskId: state.taskId,
    ...(statusMessage === undefined ? {} : { statusMessage }),
    createdAt: new Date(state.createdAt).toISOString(),
    lastUpdatedAt: new Date(state.lastUpdatedAt).toISOString(),
    ttlMs: state.ttlMs,
    pollIntervalMs: pollIntervalOf(state),
  };
  if (state.outcome === undefined) {
    return statusOf(state) === 'input_required'
      ? { ...base, status: 'input_required', inputRequests: state.requests }
      : { ...base, status: 'working' };
  }
  switch (state.outcome.status) {
    case 'completed':
      // The official requester takes a `result` without `resultType` for a failure.
      return { ...base, status: 'completed', result: { ...state.outcome.result, resultType: 'complete' } };
    case 'failed':
      return { ...base, status: 'failed', error: state.outcome.error };
    case 'cancelled':
      return { ...base, status: 'cancelled' };
  }
}

/** Longer while a person is waited for, which takes minutes: sampling and roots are answered by the client's program. */
function pollIntervalOf({ requests, approvals = [], pollIntervalMs }: TaskSnapshot): number {
  const asksPerson = Object.values(requests).some(({ method }) => method === 'elicitation/create');
  return asksPerson || approvals.some(isWaitedFor) ? Math.max(pollIntervalMs, PERSON_POLL_INTERVAL_MS) : pollIntervalMs;
}

function statusMessageOf(state: TaskSnapshot): string | undefined {
  switch (state.outcome?.status) {
    case 'completed':
      return state.outcome.result.isError === true ? 'Completed with an error' : 'Completed';
    case 'failed':
      return state.outcome.error.message; // Spec: tasks.md, `failed` SHOULD carry diagnostics.
    case 'cancelled':
      return 'Cancelled';
    case undefined:
      break;
  }
  if (state.ending === 'cancel') return withDetail('Cancellation requested', state.statusMessage);
  if (state.ending === 'deadline') return withDetail('Expired, cleaning up', state.statusMessage);
  const questions = Object.values(state.requests).map((request) => request.params['message']);
  const asked = questions.filter((message) => typeof message === 'string');
  if (asked.length > 0) return `Waiting for your answer: ${asked.join(' / ')}`;
  const approvals = (state.approvals ?? []).filter(isWaitedFor);
  return approvals.length > 0 ? approvals.map(waitingText).join(' / ') : state.statusMessage;
}

function withDetail(headline: string, detail: string | undefined): string {
  return detail === undefined ? headline : `${headline} (${detail})`;
}
