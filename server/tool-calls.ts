/**
 * `tools/call`: who gets what. *Declared* means that this request carries the Tasks extension. First row that fits:
 *
 * | tool                         | caller       | answer                                                             |
 * |------------------------------|--------------|--------------------------------------------------------------------|
 * | unknown                      | any          | -32602                                                             |
 * | a tool for approvals         | with a role  | its result (without: unknown)                                      |
 * | a fallback tool              | not declared | its result (declared: unknown)                                     |
 * | arguments not an object      | any          | -32602                                                             |
 * | arguments violate schema     | any          | a result with `isError` that names members and types               |
 * | `never`, `required`         | older, with, | -32601: the tool says whether it is called with `params.task`       |
 * |                              | without task |                                                                    |
 * | `required`, `requires: […]`  | cannot       | -32021 (an older revision: a result with `isError`)                |
 * | any, with a `requestState`   | modern       | -32602 unless the state fits; a task's state: its task goes on     |
 * | `askFirst`, answers missing  | can          | `input_required`; who cannot be asked: a result with `isError`     |
 * |                              | older, HTTP  | as below, but the task asks first; `never`: a result with `isError` |
 * | `never`                      | any          | the body's result, from this process                               |
 * | any, with `params.task`      | older        | start; the task                                                    |
 * | any                          | declared     | start; wait for the end, a question or the budget: result or task  |
 * | `optional`                   | not declared | the same workflow, held: result, `input_required`, or a named task |
 *
 * *Older* clients on a connection are asked by the SDK's own requests for `input_required`. Over HTTP they can be asked only
 * by a task: their answers come as requests of their own, to whichever front. So there the task is started with its
 * questions, and its body waits for the answers.
 *
 * No task exists before a row says "start". A handle is given out only for a task that `TaskStore.create` answered. Nobody
 * is asked for a call that cannot be served.
 */
import { NO_FEATURES } from '../protocol/input-feature.ts';
import { isTerminal, type JsonObject, type ToolResult } from '../protocol/task.ts';
import { toolError, type Tool } from '../workflows/tool.ts';
import { callApprovalTool } from './approval-tools.ts';
import { settleQuestions, type Settled } from './ask-first.ts';
import { capabilityName, invalidParams, methodNotFound, missingCapability, type Missing } from './errors.ts';
import { callFallbackTool } from './fallback-tools.ts';
import { holdCall, resumeTask } from './held-call.ts';
import { resultOfBody, resultOfThrown } from './body-result.ts';
import { plainAnswer } from './plain-answer.ts';
import type { RequestState } from './request-state.ts';
import {
  cancelIfUnreachable,
  cancelUnnamed,
  startCall,
  syncBudgetOf,
  type AcceptedCall,
  type Started,
} from './start-call.ts';
import type { ToolAnswer, ToolCall, ToolCallParts } from './tool-call.ts';
import { waitForTask } from './wait-for-task.ts';

/** @throws ProtocolError, and what the store throws */
export async function callTool(parts: ToolCallParts, call: ToolCall): Promise<ToolAnswer> {
  const name = typeof call.name === 'string' ? call.name : '';
  const contract = parts.contracts.get(name);
  if (contract === undefined) {
    const result =
      (await callApprovalTool(name, () => argumentsOf(call), parts)) ??
      (call.declared.tasks ? undefined : await callFallbackTool(name, argumentsOf(call), parts, call));
    if (result === undefined) throw invalidParams('Unknown tool. tools/list names the tools of this server.');
    return plain(result);
  }

  const parsed = contract.parseArguments(argumentsOf(call));
  if (!parsed.ok) return plain(toolError(`The arguments do not fit ${name}:\n${parsed.faults}`));
  const { tool } = contract;
  refuseOtherSupport(tool, call);

  const missing = missingFor(tool, call);
  if (missing.length > 0) {
    if (call.isModern) throw missingCapability(`The tool ${name}`, missing);
    const names = missing.map(capabilityName).join(', ');
    return plain(toolError(`${name} needs a client that declares ${names} for this call: see MCP 2026-07-28.`));
  }

  const state = stateOf(parts, call, parsed.args);
  const isResumed = state?.kind === 'task' && tool.task !== 'never';
  const settled = isResumed ? ready(parsed.args) : settle(tool, call, parsed.args, state);
  if (settled.kind === 'refused') return plain(settled.result);
  if (settled.kind === 'ask' && call.isAskedFirst) {
    const stated = { caller: parts.caller, tool: name, args: parsed.args };
    return { kind: 'input', requests: settled.requests, requestState: parts.requestStates.seal(stated, settled.state) };
  }

  const asksFirst = settled.kind === 'ask';
  const args = asksFirst ? parsed.args : settled.args;
  if (tool.task === 'never') return plain(await resultOfBody(() => tool.run(args)));
  const accepted = { tool, args, asksFirst, passedArgs: parsed.args, keyArgument: parsed.idempotencyKey };
  const started = isResumed ? await resumeTask(parts, call, state.taskId) : await startCall(parts, call, accepted);
  const answer = call.declared.tasks || call.asTask !== undefined ? answerTaskClient : holdCall;
  try {
    return await answer(parts, call, accepted, started);
  } catch (error) {
    await cancelUnnamed(parts, started);
    throw error;
  }
}

/** A question to the caller of a held call is put by multi round trip: whoever must be asked need not take a task. */
function missingFor(tool: Tool, { declared, isModern }: ToolCall): readonly Missing[] {
  if (tool.task === 'never') return [];
  const required = (tool.requires ?? []).map((feature) => (feature === 'elicitation' ? 'elicitationForm' : feature));
  return [
    ...(isModern && !declared.tasks && tool.task === 'required' ? (['tasks'] as const) : []),
    ...required.filter((feature) => !declared[feature]),
  ];
}

/** Spec: 2025-11-25, tasks, Tool-Level Negotiation. @throws ProtocolError -32601 */
function refuseOtherSupport({ name, task }: Tool, { isModern, asTask }: ToolCall): void {
  if (isModern) return;
  if (asTask !== undefined && task === 'never')
    throw methodNotFound(`${name} runs without a task: leave out params.task.`);
  if (asTask === undefined && task === 'required') {
    throw methodNotFound(`${name} runs only as a task: call it with params.task, as MCP 2025-11-25 has it.`);
  }
}

/** Whoever cannot be sent back with a state, gave none: there the member means nothing. @throws ProtocolError when the state does not fit */
function stateOf(parts: ToolCallParts, call: ToolCall, args: JsonObject): RequestState | undefined {
  if (!call.isAskedFirst || call.requestState === undefined) return undefined;
  const stated = { caller: parts.caller, tool: call.name as string, args };
  return parts.requestStates.open(stated, call.requestState);
}

function settle(tool: Tool, call: ToolCall, args: JsonObject, state: RequestState | undefined): Settled {
  if (tool.askFirst === undefined) return ready(args);
  try {
    return settleQuestions(tool.askFirst, {
      args,
      client: call.isAskedFirst || tool.task !== 'never' ? call.declared : NO_FEATURES,
      state: state?.kind === 'asking' ? state : undefined,
      responses: call.responses ?? {},
    });
  } catch (error) {
    return { kind: 'refused', result: resultOfThrown(error) };
  }
}

async function answerTaskClient(
  parts: ToolCallParts,
  call: ToolCall,
  accepted: AcceptedCall,
  started: Started,
): Promise<ToolAnswer> {
  // An older client that asks for a task is answered with one, however soon it ends.
  const task = call.asTask ? started.task : await waitForTask(parts, call, started.task, syncBudgetOf(parts, accepted));
  if (call.asTask === undefined && isTerminal(task.status)) return plain(plainAnswer(parts, task));
  await cancelIfUnreachable(parts, call, started);
  return { kind: 'task', task };
}

function argumentsOf({ args = {} }: ToolCall): Readonly<Record<string, unknown>> {
  if (typeof args === 'object' && args !== null && !Array.isArray(args)) return args as Record<string, unknown>;
  throw invalidParams('params.arguments must be an object.');
}
function ready(args: JsonObject): Settled {
  return { kind: 'ready', args };
}
function plain(result: ToolResult): ToolAnswer {
  return { kind: 'plain', result };
}
