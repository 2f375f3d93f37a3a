import { describe, expect, it } from '@jest/globals';
import { mkdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FilePositionLost, type FileOwner } from '../../../store/blobs.ts';
import { FolderBlobStore } from '../../../store/folder-blobs.ts';
import { listed } from '../../support/listed-files.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const CALLER = '0123456789abcdef'.repeat(2);
const [OLDER, NEWER] = ['z'.repeat(22), 'a'.repeat(22)];

const put = (store: FolderBlobStore, taskId: string, name: string, caller = CALLER): Promise<unknown> =>
  store.put({ caller, taskId }, { name, mimeType: 'text/plain', bytes: Buffer.from(name) });

/** As if the task's last file had been written then. */
function age(root: string, { caller, taskId }: FileOwner, ageMs: number): Promise<void> {
  const at = new Date(Date.now() - ageMs);
  return utimes(join(root, caller, taskId), at, at);
}

/** Two tasks of one caller, with two files each. */
async function aFolder(): Promise<{ root: string; store: FolderBlobStore }> {
  const root = await temporaryFolder();
  const store = new FolderBlobStore(root);
  for (const name of ['b.txt', 'a.txt']) for (const taskId of [OLDER, NEWER]) await put(store, taskId, name);
  await age(root, { caller: CALLER, taskId: OLDER }, 60_000);
  return { root, store };
}

const ALL = [`${NEWER}/a.txt`, `${NEWER}/b.txt`, `${OLDER}/a.txt`, `${OLDER}/b.txt`];

describe('list', () => {
  it('gives a caller’s own files, the task that was written to last first', async () => {
    const { root, store } = await aFolder();
    await put(store, OLDER, 'c.txt', 'f'.repeat(32));
    await mkdir(join(root, CALLER, 'not-a-task'));
    await mkdir(join(root, CALLER, `${OLDER}~claimed`));
    await writeFile(join(root, CALLER, 'f'.repeat(22)), '');
    await symlink('/', join(root, CALLER, 'l'.repeat(22)));
    expect(await listed(store, CALLER)).toEqual(ALL);
    expect([await listed(store, 'nobody'), await listed(store, 'e'.repeat(32))]).toEqual([[], []]);
  });

  it('goes on behind a file, also when that file is gone, but not when its task is', async () => {
    const { root, store } = await aFolder();
    for (const [index, position] of ALL.entries()) {
      const [taskId = '', name = ''] = position.split('/');
      expect(await listed(store, CALLER, { taskId, name })).toEqual(ALL.slice(index + 1));
    }
    await rm(join(root, CALLER, NEWER, 'a.txt'));
    expect(await listed(store, CALLER, { taskId: NEWER, name: 'a.txt' })).toEqual(ALL.slice(1));
    await store.drop({ caller: CALLER, taskId: NEWER });
    const lost = listed(store, CALLER, { taskId: NEWER, name: 'a.txt' });
    await expect(lost).rejects.toBeInstanceOf(FilePositionLost);
  });

  it('opens no more than what is taken: a page of many costs a page', async () => {
    const { root, store } = await aFolder();
    // Whoever looks at it fails.
    await writeFile(join(root, CALLER, OLDER, 'a.txt~about'), 'no JSON');
    await age(root, { caller: CALLER, taskId: OLDER }, 60_000);
    const taken: string[] = [];
    for await (const { file } of store.list(CALLER)) if (taken.push(file.name) === 2) break;
    expect(taken).toEqual(['a.txt', 'b.txt']);
    await expect(listed(store, CALLER)).rejects.toThrow('cannot list');
  });
});
