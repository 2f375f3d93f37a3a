import { afterEach, describe, expect, it } from '@jest/globals';
import type { ApprovalChange } from '../../../../protocol/approval-queue.ts';
import { createApprovalWatch, type ApprovalWatch, type Told } from '../../../../server/approvals/approval-watch.ts';
import { StoreDown } from '../../../../store/store-down.ts';
import { createLog } from '../../../../server/log.ts';
import { eventually } from '../../../support/eventually.ts';

const EVERY_MS = 5;
const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** What the database would say at each look, until it is changed. */
interface Ground {
  readonly watch: ApprovalWatch;
  recent: () => Promise<readonly ApprovalChange[]>;
  looks: number;
}

function open(more: { maxSilenceMs?: number } = {}): Ground {
  const changes = {
    recent: () => {
      ground.looks += 1;
      return ground.recent();
    },
  };
  const watch = createApprovalWatch({ changes, log: createLog('silent'), everyMs: EVERY_MS, ...more });
  const ground: Ground = { watch, recent: async () => [], looks: 0 };
  return ground;
}

function listen({ watch }: Ground): Told[] {
  const told: Told[] = [];
  ends.push(watch.watch((each) => told.push(each)));
  return told;
}

function change(approvalId: string, at: string): ApprovalChange {
  return { approvalId, roles: ['finance'], people: [], changeId: `${approvalId} ${at}` };
}

async function laterLooks(ground: Ground, count: number): Promise<void> {
  const from = ground.looks;
  await eventually(() => ground.looks >= from + count);
}

describe('watch', () => {
  it('tells of a change at the first look, at the next and three later, and of the next change of the same anew', async () => {
    const ground = open();
    const told = listen(ground);
    const first = change('a', '1');
    ground.recent = async () => [first];
    await laterLooks(ground, 10);
    expect(told).toEqual([[first], [first], [first]]);
    const second = change('a', '2');
    ground.recent = async () => [second];
    await laterLooks(ground, 10);
    expect(told.slice(3)).toEqual([[second], [second], [second]]);
  });

  it('looks once for all who watch, and not at all when nobody does', async () => {
    const ground = open();
    const all = [listen(ground), listen(ground)];
    ground.recent = async () => [change('a', '1')];
    await laterLooks(ground, 10);
    expect(all.map((told) => told.length)).toEqual([3, 3]);
    for (const end of ends.splice(0)) end();
    await eventually(async () => {
      const before = ground.looks;
      await new Promise((resolve) => setTimeout(resolve, 10 * EVERY_MS));
      return ground.looks === before;
    });
    const again = listen(ground);
    ground.recent = async () => [change('a', '2')];
    await eventually(() => again.length === 3);
  });

  it('goes on when the database was away, and says that anything may have happened when that took long', async () => {
    const ground = open({ maxSilenceMs: 20 });
    const told = listen(ground);
    ground.recent = () => Promise.reject(new StoreDown());
    await laterLooks(ground, 10);
    expect(told).toEqual([]);
    ground.recent = async () => [];
    await eventually(() => told.length > 0);
    expect(told[0]).toBe('anything');
  });
});
