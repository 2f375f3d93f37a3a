/**
 * `tools/call`: who gets what. *Declared* means that this request carries the Tasks extension. First row that fits:
 *
 * | tool                        | caller       | answer                                                            |
 * |-----------------------------|--------------|-------------------------------------------------------------------|
 * | unknown                     | any          | -32602                                                            |
 * | arguments not an object     | any          | -32602                                                            |
 * | arguments violate schema    | any          | a result with `isError` that names members and types              |
 * | `never`                     | any          | the body's result, from this process                              |
 * | `required`                  | not declared | -32021 (an older revision: a result with `isError`)               |
 * | `requires: ['elicitation']` | cannot       | -32021 (an older revision: a result with `isError`)               |
 * | any                         | declared     | start; wait for the end, a question or the budget: result or task |
 * | `optional`                  | not declared | the same workflow, held; after the budget a result naming the task |
 *
 * No task exists before a row says "start". A handle is given out only for a task that `TaskStore.create` answered.
 */
import { isTerminal, type DetailedTask, type ToolResult } from '../protocol/task.ts';
import { toolError, toolResult, type TaskTool } from '../workflows/tool.ts';
import type { Caller, Declared } from './caller.ts';
import { failedWith, invalidParams, missingCapability } from './errors.ts';
import { readIdempotencyKey, type KeySources } from './idempotency-key.ts';
import { runInstantTool } from './instant-tool.ts';
import type { TaskStore } from './task-store.ts';
import type { ParsedArguments, ToolContracts } from './tool-contract.ts';
import { waitForTask, type Waiting } from './wait-for-task.ts';

export interface ToolCallParts {
  readonly contracts: ToolContracts;
  readonly store: TaskStore;
  readonly caller: Caller;
  readonly budgets: { readonly syncBudgetMs: number; readonly fallbackBudgetMs: number };
}

export interface ToolCall extends Waiting {
  readonly name: unknown;
  readonly args: unknown;
  readonly declared: Declared;
  /** The revision knows -32021. */
  readonly isModern: boolean;
  readonly keys: KeySources;
}

export type ToolAnswer =
  { readonly kind: 'plain'; readonly result: ToolResult } | { readonly kind: 'task'; readonly task: DetailedTask };

const DAY_MS = 86_400_000;
const DEFAULTS = { ttlMs: DAY_MS, maxTtlMs: 30 * DAY_MS, pollIntervalMs: 1_000 };

/** @throws ProtocolError, and what the store throws */
export async function callTool(parts: ToolCallParts, call: ToolCall): Promise<ToolAnswer> {
  const contract = typeof call.name === 'string' ? parts.contracts.get(call.name) : undefined;
  if (contract === undefined) throw invalidParams('Unknown tool. tools/list names the tools of this server.');

  const raw = call.args === undefined ? {} : call.args;
  if (!isObject(raw)) throw invalidParams('params.arguments must be an object.');
  const parsed = contract.parseArguments(raw);
  if (!parsed.ok) return plain(toolError(`The arguments do not fit ${contract.tool.name}:\n${parsed.faults}`));

  const { tool } = contract;
  if (tool.task === 'never') return plain(await runInstantTool(tool, parsed.args));

  const missing = missingFor(tool, call.declared);
  if (missing.length > 0) {
    if (call.isModern) throw missingCapability(`The tool ${tool.name}`, missing);
    return plain(toolError(`${tool.name} needs a client of MCP 2026-07-28 that can: ${missing.join(', ')}.`));
  }
  return call.declared.tasks ? startForTaskClient(parts, call, tool, parsed) : hold(parts, call, tool, parsed);
}

/**
 * A question to the caller is put through the task, so who cannot take a task cannot be asked either: a tool that must
 * ask needs both.
 */
function missingFor(tool: TaskTool, declared: Declared): readonly ('tasks' | 'elicitation')[] {
  const mustAsk = tool.requires?.includes('elicitation') ?? false;
  return [
    ...(!declared.tasks && (mustAsk || tool.task === 'required') ? (['tasks'] as const) : []),
    ...(mustAsk && !declared.elicitationForm ? (['elicitation'] as const) : []),
  ];
}

type Accepted = ParsedArguments & { readonly ok: true };

async function startForTaskClient(
  parts: ToolCallParts,
  call: ToolCall,
  tool: TaskTool,
  parsed: Accepted,
): Promise<ToolAnswer> {
  const created = await start(parts, call, tool, parsed, call.declared.elicitationForm);
  const task = await waitForTask(parts, call, created.task, budgetOf(parts, tool, parsed));
  if (isTerminal(task.status)) return plain(plainAnswer(task));
  await cancelIfUnreachable(parts, call, created);
  return { kind: 'task', task };
}

async function hold(parts: ToolCallParts, call: ToolCall, tool: TaskTool, parsed: Accepted): Promise<ToolAnswer> {
  const created = await start(parts, call, tool, parsed, false);
  const task = await waitForTask(parts, call, created.task, parts.budgets.fallbackBudgetMs);
  if (isTerminal(task.status)) return plain(plainAnswer(task));
  await cancelIfUnreachable(parts, call, created);
  return plain(stillRunning(task, tool.output === undefined));
}

/**
 * The caller went away before it was told the task id, and no key finds the task again: going on would serve nobody.
 * Spec: closing the response stream cancels the request.
 */
async function cancelIfUnreachable(parts: ToolCallParts, call: ToolCall, created: Started): Promise<void> {
  if (!call.signal.aborted || created.idempotencyKey !== undefined) return;
  await parts.store.cancel(parts.caller, created.task.taskId, 'the caller closed the connection');
}

interface Started {
  readonly task: DetailedTask;
  readonly idempotencyKey: string | undefined;
}

async function start(
  parts: ToolCallParts,
  call: ToolCall,
  tool: TaskTool,
  parsed: Accepted,
  elicitationForm: boolean,
): Promise<Started> {
  const idempotencyKey = readIdempotencyKey({ ...call.keys, argument: parsed.idempotencyKey });
  call.signal.throwIfAborted();
  const { task } = await parts.store.create(parts.caller, {
    tool: tool.name,
    args: parsed.args,
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    features: { elicitationForm },
    ttlMs: tool.ttlMs ?? DEFAULTS.ttlMs,
    maxTtlMs: Math.max(tool.maxTtlMs ?? DEFAULTS.maxTtlMs, tool.ttlMs ?? 0),
    pollIntervalMs: tool.pollIntervalMs ?? DEFAULTS.pollIntervalMs,
    ...(tool.summary === undefined ? {} : { summary: tool.summary(parsed.args) }),
  });
  return { task, idempotencyKey };
}

function budgetOf(parts: ToolCallParts, tool: TaskTool, parsed: Accepted): number {
  if (typeof tool.syncBudgetMs === 'function') return tool.syncBudgetMs(parsed.args);
  return tool.syncBudgetMs ?? (tool.task === 'required' ? 0 : parts.budgets.syncBudgetMs);
}

/** What the plain call would have answered. @throws ProtocolError for a failed task */
function plainAnswer(task: DetailedTask): ToolResult {
  switch (task.status) {
    case 'completed':
      return task.result;
    case 'failed':
      throw failedWith(task.error);
    default:
      return toolError(`Task ${task.taskId} was cancelled.`);
  }
}

/** A tool with an output schema may not answer with other structured content. */
function stillRunning(task: DetailedTask, mayBeStructured: boolean): ToolResult {
  const { taskId, status, statusMessage, pollIntervalMs } = task;
  const text =
    `Task ${taskId} is not finished yet and goes on${statusMessage === undefined ? '' : ` (${statusMessage})`}. ` +
    'A client with the Tasks extension can follow it under this id.';
  if (!mayBeStructured) return toolResult(text);
  const nextPollSeconds = Math.ceil(pollIntervalMs / 1_000);
  const shown = { id: taskId, status, ...(statusMessage === undefined ? {} : { statusMessage }), nextPollSeconds };
  return toolResult(text, { structured: { task: shown } });
}

function plain(result: ToolResult): ToolAnswer {
  return { kind: 'plain', result };
}
function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
