/**
 * One MCP task as one workflow, made from a catalog: handlers first, body second, settle third.
 *
 * Handlers precede the first await, so that a signal of the very first activation finds them; all handlers have finished
 * before the return, so that none is cut off. The body runs in a scope of its own, apart from the root scope that Temporal
 * cancels: a cancel reaches it only through `Decisions`. The lifecycle never looks at a tool's name.
 */
import { CancellationScope, CancelledFailure, condition, setHandler, workflowInfo } from '@temporalio/workflow';
import {
  fromSnapshot,
  seedState,
  toSnapshot,
  type Outcome,
  type TaskSnapshot,
  type TaskState,
} from '../protocol/task-state.ts';
import type { ToolResult } from '../protocol/task.ts';
import type { ActBatch } from '../protocol/act.ts';
import { ActOutbox, LATE_ACTS, recordLateActs } from './acts.ts';
import { ApprovalBook } from './approvals.ts';
import { continueWith, ContinueRequest } from './continue-as-new.ts';
import { taskInputSignal, taskQuery, type ToolTaskInput, type ToolTaskOutput } from './contract.ts';
import { takeDecisions } from './decision-door.ts';
import { Decisions, watchDeadline } from './decisions.ts';
import { EffectLog } from './effects.ts';
import { askFirstQuestions } from './first-questions.ts';
import { InputRequestBook } from './input-requests.ts';
import { completedWith, notUndone, outcomeOfError } from './outcome.ts';
import { settle } from './settle.ts';
import { createTaskContext } from './task-context.ts';
import { TaskRecord } from './task-record.ts';
import type { Catalog, TaskContext, TaskTool } from './tool.ts';

export function createToolTask(
  catalog: Catalog,
): (input: ToolTaskInput) => Promise<ToolTaskOutput | { readonly recorded: number }> {
  if (catalog.has(LATE_ACTS)) throw new Error(`No tool may be named ${LATE_ACTS}: the lifecycle has it.`);
  return async function toolTask(input) {
    // The one workflow that is no task: whoever starts it hands over what it is about.
    if (workflowInfo().workflowType === LATE_ACTS) return recordLateActs(input as unknown as ActBatch);
    const tool = taskToolNamed(catalog, workflowInfo().workflowType);
    const acts = new ActOutbox(input);
    const record = new TaskRecord(initialState(input), shownByStart(input), input.carried, acts);
    const book = new InputRequestBook(record);
    const decisions = new Decisions(CancellationScope.current());
    const effects = new EffectLog();
    const approvals = new ApprovalBook(record, requesterOf(input));

    setHandler(taskQuery, () => record.published, { description: 'The task as tasks/get shows it' });
    setHandler(
      taskInputSignal,
      (taskInput) => {
        decisions.recordInput(taskInput);
      },
      { description: 'Responses to input requests, by key' },
    );
    takeDecisions(approvals, decisions);

    return CancellationScope.nonCancellable(async () => {
      const bodyScope = new CancellationScope();
      const decide = (): void => {
        decisions.decide(record, book, approvals);
        if (record.state.ending !== undefined) bodyScope.cancel();
      };
      void keepDeciding(decisions, decide);
      void keepPublishing(record, decisions);
      void watchDeadline(record, decisions);
      void acts.keepSending(
        () => !decisions.isDue,
        () => record.state.approvals ?? [],
      );
      const context = createTaskContext({
        input,
        record,
        book,
        approvals,
        effects,
        decide,
        wake: () => decisions.wake(),
      });
      const ending = await endOfBody(() => bodyScope.run(() => runBody(tool, input, context)), record, effects);
      if (ending instanceof ContinueRequest) return continueWith(input, ending.args, record);
      return settle(input, { record, acts }, ending);
    });
  };
}

function requesterOf(input: ToolTaskInput): ConstructorParameters<typeof ApprovalBook>[1] {
  const { caller, requestedBy = 'unknown', requester, maxTtlMs } = input;
  return { caller, name: requestedBy, identity: requester, maxTtlMs };
}

/** Thrown here, an error fails the workflow task, which is retried until a worker that knows the tool is deployed. */
function taskToolNamed(catalog: Catalog, name: string): TaskTool {
  const tool = catalog.get(name);
  if (tool === undefined || tool.task === 'never')
    throw new Error(`No task tool is named ${name}: deploy a worker that knows it.`);
  return tool;
}

/** Without questions exactly what it was before there were any: recorded histories depend on each step that is awaited. */
function runBody(tool: TaskTool, input: ToolTaskInput, context: TaskContext): Promise<ToolResult> {
  if (input.asksFirst !== true || tool.askFirst === undefined) return tool.run(input.args, context);
  return askFirstQuestions(tool.askFirst, input, context).then((args) => tool.run(args, context));
}

/** The deadline counts on Temporal's clock, whatever the clock of the front that created the task says. */
function initialState({ seed, carried }: ToolTaskInput): TaskState {
  if (carried !== undefined) return fromSnapshot(carried.snapshot);
  const state = seedState(seed);
  return { ...state, deadlineAt: workflowInfo().startTime.getTime() + seed.ttlMs };
}

function shownByStart({ seed, carried }: ToolTaskInput): TaskSnapshot {
  return carried?.snapshot ?? toSnapshot(seedState(seed));
}

async function keepDeciding(decisions: Decisions, decide: () => void): Promise<void> {
  for (;;) {
    await condition(() => decisions.isDue);
    decide();
  }
}

/** Waits for the decisions of the same activation, so that one write shows all that it changed. */
async function keepPublishing(record: TaskRecord, decisions: Decisions): Promise<void> {
  for (;;) {
    await condition(() => record.isDirty && !decisions.isDue);
    await record.untilDue();
    if (record.isDirty && record.state.settling === undefined) record.publish();
  }
}

async function endOfBody(
  run: () => Promise<Parameters<typeof completedWith>[0]>,
  record: TaskRecord,
  effects: EffectLog,
): Promise<Outcome | ContinueRequest> {
  try {
    return completedWith(await run());
  } catch (error) {
    // `continueAs` has decided before: a cancel that has come must not be lost with this run.
    if (error instanceof ContinueRequest && record.state.ending === undefined) return error;
    const outcome = outcomeOfError(error instanceof ContinueRequest ? new CancelledFailure('') : error, record.state);
    const left = await effects.undoAll();
    return left.length === 0 ? outcome : notUndone(left);
  }
}
