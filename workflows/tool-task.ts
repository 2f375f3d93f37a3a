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
import { continueWith, ContinueRequest } from './continue-as-new.ts';
import { taskInputSignal, taskQuery, type ToolTaskInput, type ToolTaskOutput } from './contract.ts';
import { Decisions, watchDeadline } from './decisions.ts';
import { EffectLog } from './effects.ts';
import { InputRequestBook } from './input-requests.ts';
import { completedWith, notUndone, outcomeOfError } from './outcome.ts';
import { settle } from './settle.ts';
import { createTaskContext } from './task-context.ts';
import { TaskRecord } from './task-record.ts';
import type { Catalog, TaskTool } from './tool.ts';

export function createToolTask(catalog: Catalog): (input: ToolTaskInput) => Promise<ToolTaskOutput> {
  return async function toolTask(input) {
    const tool = taskToolNamed(catalog, workflowInfo().workflowType);
    const record = new TaskRecord(initialState(input), shownByStart(input), input.carried);
    const book = new InputRequestBook(record);
    const decisions = new Decisions(CancellationScope.current());
    const effects = new EffectLog();

    setHandler(taskQuery, () => record.published, { description: 'The task as tasks/get shows it' });
    setHandler(
      taskInputSignal,
      (taskInput) => {
        decisions.recordInput(taskInput);
      },
      { description: 'Responses to input requests, by key' },
    );

    return CancellationScope.nonCancellable(async () => {
      const bodyScope = new CancellationScope();
      const decide = (): void => {
        decisions.decide(record, book);
        if (record.state.ending !== undefined) bodyScope.cancel();
      };
      void keepDeciding(decisions, decide);
      void keepPublishing(record, decisions);
      void watchDeadline(record, decisions);
      const context = createTaskContext({ input, record, book, effects, decide });
      const ending = await endOfBody(() => bodyScope.run(() => tool.run(input.args, context)), record, effects);
      if (ending instanceof ContinueRequest) return continueWith(input, ending.args, record);
      return settle(input, record, ending);
    });
  };
}

/** Thrown here, an error fails the workflow task, which is retried until a worker that knows the tool is deployed. */
function taskToolNamed(catalog: Catalog, name: string): TaskTool {
  const tool = catalog.get(name);
  if (tool === undefined || tool.task === 'never')
    throw new Error(`No task tool is named ${name}: deploy a worker that knows it.`);
  return tool;
}

/** The deadline counts on Temporal's clock, whatever the clock of the front that created the task says. */
function initialState({ seed, carried }: ToolTaskInput): TaskState {
  if (carried !== undefined) return { ...fromSnapshot(carried.snapshot), closedKeys: carried.closedKeys };
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
    try {
      await effects.undoAll();
    } catch (undoError) {
      return notUndone(undoError);
    }
    return outcome;
  }
}
