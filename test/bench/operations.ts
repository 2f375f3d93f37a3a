/** Each operation of a task beside the raw call it rests on. No worker runs meanwhile. */
import { callTool, taskIdIn, type AskingTask } from './bench-tasks.ts';
import type { Pair } from './interleave.ts';
import type { McpDoor } from './mcp-door.ts';
import type { RawTemporal } from './raw-temporal.ts';

export interface Ground {
  readonly door: McpDoor;
  readonly bareDoor: McpDoor;
  readonly raw: RawTemporal;
  readonly asking: readonly AskingTask[];
  readonly finished: readonly string[];
  readonly workflowIdOf: (taskId: string) => string;
}

/** V8 goes on compiling what is called until about then. */
const WARM_UP_READS = 300;
const WARM_UP_CREATES = 1_500;
const JOB = { seconds: 10, label: 'bench' };
const ANSWER = { action: 'accept', content: { costCentre: '1100' } };

/** In the order in which they must run: what is created is cancelled, and what rests is read before it is answered. */
export function pairsOn({ door, bareDoor, raw, asking, finished, workflowIdOf }: Ground): readonly Pair[] {
  const created: string[] = [];
  const started: string[] = [];
  // Ours and the raw call never answer the same task: the second would find another state than the first.
  const half = Math.floor(asking.length / 2);
  const get = (taskId: string): Promise<unknown> => door.send({ method: 'tasks/get', params: { taskId } });

  return [
    {
      op: 'get-resting',
      warmUpCount: WARM_UP_READS,
      ours: (index) => get(at(asking, index % asking.length).taskId),
      raw: (index) => raw.describe(workflowIdOf(at(asking, index % asking.length).taskId)),
    },
    {
      op: 'get-finished',
      ours: (index) => get(at(finished, index % finished.length)),
      raw: (index) => raw.describe(workflowIdOf(at(finished, index % finished.length))),
    },
    {
      op: 'create',
      warmUpCount: WARM_UP_CREATES,
      ours: async () => created.push(taskIdIn(await callTool(door, 'slow_compute', JOB))),
      raw: async () => started.push(await raw.start('slow_compute', JOB)),
    },
    {
      op: 'create-bare',
      warmUpCount: WARM_UP_CREATES,
      ours: async () => taskIdIn(await callTool(bareDoor, 'slow_compute', JOB)),
      raw: () => raw.start('slow_compute', JOB),
    },
    {
      op: 'update',
      ours(index) {
        const { taskId, key } = at(asking.slice(0, half), index);
        return door.send({ method: 'tasks/update', params: { taskId, inputResponses: { [key]: ANSWER } } });
      },
      raw(index) {
        const { taskId, key } = at(asking.slice(half), index);
        return raw.signal(workflowIdOf(taskId), { [key]: ANSWER });
      },
    },
    {
      op: 'cancel',
      ours: (index) => door.send({ method: 'tasks/cancel', params: { taskId: at(created, index) } }),
      raw: (index) => raw.requestCancel(at(started, index)),
    },
  ];
}

function at<T>(items: readonly T[], index: number): T {
  const item = items[index];
  if (item === undefined) throw new Error(`The bench has made too few tasks: ${items.length} and not ${index + 1}.`);
  return item;
}
