/**
 * What a client has seen of its tasks, held against the state machine: a terminal status never changes, time does not
 * run backwards, a key is used once, and each status carries its own field and no other.
 *
 * Reads may overlap. Only one that began after another had been answered must be as new as that one.
 */
import { isDeepStrictEqual } from 'node:util';
import { isTerminal, type DetailedTask } from '../../protocol/task.ts';

export interface TaskJournal {
  /**
   * `startedAt` is when the read began, on the clock of `performance.now()`; it is over now.
   * @throws with both views when the task did what no task may do
   */
  record(task: DetailedTask, startedAt: number): void;
}

/** What reads that begin from now on must not fall behind. */
interface Seen {
  readonly views: { readonly task: DetailedTask; readonly endedAt: number }[];
  terminal?: DetailedTask;
  /** By key: when a reader first found it gone. */
  readonly goneAt: Map<string, number>;
}

const FIELD_OF = { input_required: 'inputRequests', completed: 'result', failed: 'error' } as const;

export function createTaskJournal(): TaskJournal {
  const byTask = new Map<string, Seen>();
  return {
    record(task, startedAt) {
      const seen = byTask.get(task.taskId) ?? { views: [], goneAt: new Map<string, number>() };
      byTask.set(task.taskId, seen);
      const earlier = seen.views.filter(({ endedAt }) => endedAt <= startedAt).map((view) => view.task);
      for (const [rule, against] of brokenRules(task, seen, earlier, startedAt)) {
        throw new Error(`Task ${task.taskId}: ${rule}.\n${JSON.stringify(against)}\n${JSON.stringify(task)}`);
      }
      const endedAt = performance.now();
      for (const key of earlier.flatMap(keysOf)) {
        if (!keysOf(task).includes(key) && !seen.goneAt.has(key)) seen.goneAt.set(key, endedAt);
      }
      seen.views.push({ task, endedAt });
      if (isTerminal(task.status)) seen.terminal ??= task;
    },
  };
}

function* brokenRules(
  task: DetailedTask,
  { terminal, goneAt }: Seen,
  earlier: readonly DetailedTask[],
  startedAt: number,
): Generator<readonly [string, DetailedTask | undefined]> {
  if (!hasItsFieldOnly(task)) yield [`${task.status} comes with the wrong fields`, undefined];
  if (terminal !== undefined && isTerminal(task.status) && !isDeepStrictEqual(task, terminal)) {
    yield ['it ended twice', terminal];
  }
  for (const before of earlier) {
    if (isTerminal(before.status) && !isTerminal(task.status)) yield ['it came back to life', before];
    if (task.createdAt !== before.createdAt) yield ['createdAt changed', before];
    if (Date.parse(task.lastUpdatedAt) < Date.parse(before.lastUpdatedAt)) yield ['lastUpdatedAt went back', before];
  }
  const reused = keysOf(task).find((key) => (goneAt.get(key) ?? Number.POSITIVE_INFINITY) <= startedAt);
  if (reused !== undefined) yield [`the key ${reused} was gone and is open again`, undefined];
}

function hasItsFieldOnly(task: DetailedTask): boolean {
  const wanted = task.status in FIELD_OF ? FIELD_OF[task.status as keyof typeof FIELD_OF] : undefined;
  const present = Object.values(FIELD_OF).filter((field) => field in task);
  if (task.status === 'input_required' && keysOf(task).length === 0) return false;
  return isDeepStrictEqual(present, wanted === undefined ? [] : [wanted]);
}

export function keysOf(task: DetailedTask): readonly string[] {
  return task.status === 'input_required' ? Object.keys(task.inputRequests) : [];
}
