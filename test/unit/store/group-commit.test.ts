import { describe, expect, it } from '@jest/globals';
import { GroupCommit } from '../../../store/group-commit.ts';
import { StoreDown } from '../../../store/store-down.ts';

describe('GroupCommit', () => {
  it('writes together what comes while a write is under way, in its order', async () => {
    const writes: (readonly number[])[] = [];
    const commits = new GroupCommit<number>(async (items) => {
      await Promise.resolve();
      writes.push(items);
    });
    await Promise.all([1, 2, 3].map((item) => commits.add(item)));
    await commits.add(4);
    expect(writes).toEqual([[1], [2, 3], [4]]);
  });

  it('keeps what can be written from failing with what cannot', async () => {
    const written: number[] = [];
    const commits = new GroupCommit<number>(async (items) => {
      await Promise.resolve();
      if (items.includes(13)) throw new Error('not this one');
      written.push(...items);
    });
    const ends = await Promise.allSettled([1, 2, 13, 4].map((item) => commits.add(item)));
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(written).toEqual([1, 2, 4]);
  });

  it('does not ask a database that was away a moment ago, and tells everybody at once', async () => {
    let calls = 0;
    const commits = new GroupCommit<number>(async () => {
      calls += 1;
      throw new StoreDown({ cause: new Error('refused') });
    });
    const ends = await Promise.allSettled([1, 2, 3].map((item) => commits.add(item)));
    for (const end of ends) expect(end).toMatchObject({ status: 'rejected', reason: { name: 'StoreDown' } });
    await expect(commits.add(4)).rejects.toThrow(StoreDown);
    expect(calls).toBe(1);
  });
});
