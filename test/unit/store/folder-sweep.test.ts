/** The sweep of the blob folder, with what else goes on there and what a crash leaves. */
import { describe, expect, it } from '@jest/globals';
import { mkdir, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileOwner } from '../../../store/blobs.ts';
import { FolderBlobStore } from '../../../store/folder-blobs.ts';
import { listed } from '../../support/listed-files.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const CALLER = '0123456789abcdef'.repeat(2);
const HOUR_MS = 3_600_000;
const LIMIT = 1_000;

const taskIdOf = (index: number): string => `task${String(index).padStart(18, '0')}`;
const ownerOf = (index: number): FileOwner => ({ caller: CALLER, taskId: taskIdOf(index) });
const put = (store: FolderBlobStore, index: number, content = 'x', name = 'a.txt'): Promise<unknown> =>
  store.put(ownerOf(index), { name, mimeType: 'text/plain', bytes: Buffer.from(content) });

interface Swept {
  readonly root: string;
  readonly store: FolderBlobStore;
  /** Of what was last written over an hour ago. */
  readonly sweep: (limit?: number) => Promise<number>;
  /** As if nothing had been written there for two hours. */
  readonly age: (...names: readonly string[]) => Promise<void>;
  readonly names: () => Promise<string[]>;
}

async function aFolder(): Promise<Swept> {
  const root = await temporaryFolder();
  const store = new FolderBlobStore(root);
  const folder = join(root, CALLER);
  return {
    root,
    store,
    sweep: (limit = LIMIT) => store.sweep({ writtenBefore: Date.now() - HOUR_MS, limit }),
    async age(...names) {
      const at = new Date(Date.now() - 2 * HOUR_MS);
      for (const name of names) await utimes(join(folder, name), at, at);
    },
    names: async () => (await readdir(folder)).sort(),
  };
}

describe('sweep', () => {
  it('takes the expired tasks, with everything in them, and no other', async () => {
    const { root, store, sweep, age, names } = await aFolder();
    for (const index of [0, 1, 2]) await put(store, index);
    await writeFile(join(root, CALLER, taskIdOf(1), 'a.txt~left-by-a-crash'), '');
    await mkdir(join(root, CALLER, 'not-a-task'));
    await mkdir(join(root, 'not-a-caller', taskIdOf(0)), { recursive: true });
    await age(taskIdOf(0), taskIdOf(1), 'not-a-task');
    expect(await sweep()).toBe(2);
    expect([await sweep(), await names()]).toEqual([0, ['not-a-task', taskIdOf(2)]]);
    expect(await listed(store, CALLER)).toEqual([`${taskIdOf(2)}/a.txt`]);
    expect((await readdir(root)).sort()).toEqual([CALLER, 'not-a-caller']);
    expect(await readdir(join(root, 'not-a-caller'))).toEqual([taskIdOf(0)]);
  });

  it('leaves no folder of a caller who has no files', async () => {
    const { root, store, sweep, age } = await aFolder();
    await put(store, 0);
    await age(taskIdOf(0));
    expect([await sweep(), await readdir(root), await sweep()]).toEqual([1, [], 0]);
  });

  it('takes no more than it may, and ends when it is told to', async () => {
    const { store, sweep, age, names } = await aFolder();
    for (let index = 0; index < 5; index += 1) await put(store, index);
    await age(...(await names()));
    const told = { writtenBefore: Date.now(), limit: LIMIT, signal: AbortSignal.abort() };
    expect([await sweep(2), (await names()).length, await store.sweep(told)]).toEqual([2, 3, 0]);
    expect([await sweep(2), await sweep(2)]).toEqual([2, 1]);
  });

  it('keeps what was put again, though its bytes stood already', async () => {
    const { store, sweep, age } = await aFolder();
    await put(store, 0);
    await age(taskIdOf(0));
    await put(store, 0);
    expect(await sweep()).toBe(0);
    expect(await store.read(ownerOf(0), 'a.txt')).toBeDefined();
  });

  it('carries on with what a crash has left', async () => {
    const { root, store, sweep, age, names } = await aFolder();
    for (const index of [0, 1, 2]) await put(store, index);
    await age(taskIdOf(0));
    const folder = join(root, CALLER);
    await rename(join(folder, taskIdOf(0)), join(folder, `${taskIdOf(0)}~c1`));
    // A removal half-way makes the folder young again.
    await rename(join(folder, taskIdOf(1)), join(folder, `${taskIdOf(1)}~c2~gone`));
    await rm(join(folder, `${taskIdOf(1)}~c2~gone`, 'a.txt'));
    expect([await sweep(), await names()]).toEqual([2, [taskIdOf(2)]]);
  });

  it('gives back what was put right before it was claimed, and replaces nothing that was put since', async () => {
    const { root, store, sweep, names } = await aFolder();
    const folder = join(root, CALLER);
    await put(store, 0, 'first');
    await put(store, 1, 'first', 'a.txt');
    await put(store, 1, 'first', 'b.txt');
    for (const index of [0, 1]) await rename(join(folder, taskIdOf(index)), join(folder, `${taskIdOf(index)}~c`));
    await put(store, 1, 'second', 'a.txt');
    expect([await sweep(), await names()]).toEqual([0, [taskIdOf(0), taskIdOf(1)]]);
    const contents = [ownerOf(0), ownerOf(1)].map(async (owner) =>
      (await store.read(owner, 'a.txt'))?.bytes.toString(),
    );
    expect(await Promise.all(contents)).toEqual(['first', 'second']);
    expect((await store.read(ownerOf(1), 'b.txt'))?.bytes.toString()).toBe('first');
  });

  it('beside writers, readers and other sweeps loses nothing that was put, and shows nothing half', async () => {
    const { root, store, age, names } = await aFolder();
    const sweepers = [new FolderBlobStore(root), new FolderBlobStore(root)];
    const count = 20;
    for (let index = 0; index < count; index += 1) await put(store, index, 'x'.repeat(1_000));
    for (let round = 0; round < 5; round += 1) {
      await age(...(await names()));
      const tasks = Array.from({ length: count }, (_, index) => index);
      const reads: (Uint8Array | undefined)[] = [];
      await Promise.all([
        ...sweepers.map((sweeper) => sweeper.sweep({ writtenBefore: Date.now() - HOUR_MS, limit: LIMIT })),
        ...tasks.map(async (index) => {
          reads.push((await store.read(ownerOf(index), 'a.txt'))?.bytes);
          await put(store, index, 'x'.repeat(1_000));
        }),
      ]);
      for (const bytes of reads) expect([undefined, 1_000]).toContain(bytes?.length);
      await sweepers[0]!.sweep({ writtenBefore: Date.now() - HOUR_MS, limit: LIMIT });
      expect(await names()).toEqual(tasks.map(taskIdOf));
      for (const index of tasks) expect((await store.read(ownerOf(index), 'a.txt'))?.bytes).toHaveLength(1_000);
    }
  });
});
