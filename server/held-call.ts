/**
 * The call of a client without the Tasks extension: held while its workflow runs. A question of the task goes back as
 * `input_required`, whose state seals the task id; the retry delivers the answers into the same workflow and is held in turn.
 * A client of an older revision is asked while the call is held, where its connection carries that.
 */
import { unaskable } from '../protocol/input-feature.ts';
import { isTerminal, type DetailedTask } from '../protocol/task.ts';
import { followInBudget } from './follow-in-budget.ts';
import { plainAnswer, stillRunning } from './plain-answer.ts';
import { cancelIfUnreachable, type AcceptedCall, type Started } from './start-call.ts';
import type { ToolAnswer, ToolCall, ToolCallParts } from './tool-call.ts';
import { waitForTask } from './wait-for-task.ts';

export async function holdCall(
  parts: ToolCallParts,
  call: ToolCall,
  accepted: AcceptedCall,
  started: Started,
): Promise<ToolAnswer> {
  const task = await waitInBudget(parts, call, started.task);
  if (isTerminal(task.status)) return { kind: 'plain', result: plainAnswer(parts, task) };
  await cancelIfUnreachable(parts, call, { ...started, task });
  if (
    task.status === 'input_required' &&
    call.isModern &&
    unaskable(Object.values(task.inputRequests), call.declared).length === 0
  ) {
    const { tool, passedArgs } = accepted;
    const stated = { caller: parts.caller, tool: tool.name, args: passedArgs };
    const requestState = parts.requestStates.seal(stated, { kind: 'task', taskId: task.taskId });
    return { kind: 'input', requests: task.inputRequests, requestState };
  }
  return { kind: 'plain', result: stillRunning(task, accepted.tool.output === undefined) };
}

/** Who can be asked while the call is held need not come back for it. */
async function waitInBudget(parts: ToolCallParts, call: ToolCall, created: DetailedTask): Promise<DetailedTask> {
  const budgetMs = parts.budgets.fallbackBudgetMs;
  const { ask } = call;
  if (ask === undefined) return waitForTask(parts, call, created, budgetMs);
  return followInBudget(parts, { ...call, ask }, created, budgetMs);
}

/** The task that a retry goes on with, its answers delivered. @throws TaskNotFound once it is forgotten */
export async function resumeTask(
  { store, caller }: ToolCallParts,
  { responses = {} }: ToolCall,
  taskId: string,
): Promise<Started> {
  if (Object.keys(responses).length > 0) await store.deliver(caller, taskId, responses);
  return { task: await store.get(caller, taskId), isReachable: true };
}
