/** Listeners while Temporal is killed and comes back on its database file, and while a front is replaced. */
import { describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { eventually } from '../../support/eventually.ts';
import { listen, type ListenStream } from '../../support/listen-client.ts';
import { startOwnTemporal } from '../../support/own-temporal.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { keysOf } from '../../support/task-journal.ts';
import { openPushBench } from './push-bench.ts';

const keysTold = (stream: ListenStream, taskId: string): readonly string[] => [
  ...new Set(stream.told(taskId).flatMap(keysOf)),
];

describe('a listener', () => {
  it('goes on after Temporal was killed, and again over the front that takes the place of another', async () => {
    const temporal = await startOwnTemporal({ databaseFile: join(await temporaryFolder(), 'temporal.db') });
    const bench = await openPushBench(temporal.address);
    const [first, second] = [await bench.startFront(), await bench.startFront()];
    await bench.startWorker();
    const taskIds = await Promise.all(Array.from({ length: 20 }, () => bench.create('ask_twice')));
    const streams = [await listen(first.url, taskIds), await listen(second.url, taskIds)];
    const untilAllAsk = (stream: ListenStream, count: number): Promise<unknown> =>
      eventually(() => taskIds.every((taskId) => keysTold(stream, taskId).length === count), 40_000);
    await Promise.all(streams.map((stream) => untilAllAsk(stream, 1)));

    await temporal.kill9();
    await temporal.restart();
    const [watching, other] = streams as [ListenStream, ListenStream];
    for (const taskId of taskIds) await bench.accept(second.url, taskId, keysTold(watching, taskId));
    await Promise.all(streams.map((stream) => untilAllAsk(stream, 2)));

    await first.drain();
    expect(await watching.ended).toBe('end');
    const third = await bench.startFront();
    const again = await listen(third.url, taskIds);
    for (const taskId of taskIds) {
      await bench.accept(third.url, taskId, keysTold(other, taskId).slice(1));
    }
    expect(await Promise.all([other.ended, again.ended])).toEqual(['end', 'end']);
    for (const taskId of taskIds) {
      const final = await bench.get(taskId);
      expect(final.status).toBe('completed');
      for (const stream of [other, again]) expect(stream.told(taskId).at(-1)).toEqual(final);
    }
  }, 150_000);
});
