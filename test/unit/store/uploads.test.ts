import { describe, expect, it } from '@jest/globals';
import { readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BlobStoreError } from '../../../store/blobs.ts';
import { FolderBlobStore } from '../../../store/folder-blobs.ts';
import { openUploads } from '../../../store/uploads.ts';
import { eventually } from '../../support/eventually.ts';
import { listed } from '../../support/listed-files.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const DAY_MS = 86_400_000;
const CALLER = 'a'.repeat(32);
const FILE = { name: '../../Größe=1.csv', mimeType: 'text/csv', bytes: Buffer.from('a;b\n') } as const;

describe('uploads', () => {
  it('are read by whoever opens the same folder, under the name that was given', async () => {
    const folder = await temporaryFolder();
    const put = await openUploads(folder, DAY_MS).put(CALLER, FILE);
    const found = await openUploads(folder).read(CALLER, put.fileId);
    expect(found).toEqual({ upload: put, bytes: FILE.bytes });
    expect([put.name, put.bytes]).toEqual([FILE.name, 4]);
  });

  it('are no files of a task', async () => {
    const folder = await temporaryFolder();
    await openUploads(folder, DAY_MS).put(CALLER, FILE);
    const tasks = new FolderBlobStore(folder);
    expect(await listed(tasks, CALLER)).toEqual([]);
    await tasks.sweep({ writtenBefore: Date.now() + DAY_MS, limit: 10 });
    expect(await openUploads(folder, DAY_MS).list(CALLER)).toHaveLength(1);
  });

  it('are gone the moment they expire, and swept later', async () => {
    const folder = await temporaryFolder();
    const uploads = openUploads(folder, 1);
    const { fileId } = await uploads.put(CALLER, FILE);
    await eventually(async () => (await uploads.read(CALLER, fileId)) === undefined);
    expect([await uploads.list(CALLER), await uploads.drop(CALLER, fileId)]).toEqual([[], false]);
    const past = new Date(Date.now() - DAY_MS);
    await utimes(join(folder, 'uploads', CALLER, fileId), past, past);
    expect(await uploads.sweep({ writtenBefore: Date.now() - 1_000, limit: 10 })).toBe(1);
    expect(await readdir(join(folder, 'uploads'))).toEqual([]);
  });

  it('are there whole or not at all', async () => {
    const folder = await temporaryFolder();
    const uploads = openUploads(folder, DAY_MS);
    const { fileId } = await uploads.put(CALLER, FILE);
    const own = join(folder, 'uploads', CALLER, fileId);
    await writeFile(join(own, 'content'), 'changed');
    await expect(uploads.read(CALLER, fileId)).rejects.toThrow(BlobStoreError);
    await rm(join(own, 'about.json~about'));
    expect([await uploads.read(CALLER, fileId), await uploads.list(CALLER)]).toEqual([undefined, []]);
  });

  it.each(['', '..', 'a/b', 'A'.repeat(22), `${'A'.repeat(21)}/`])('has nothing under %j', async (fileId) => {
    const uploads = openUploads(await temporaryFolder(), DAY_MS);
    expect(await uploads.read(CALLER, fileId)).toBeUndefined();
    expect(await uploads.read('../..', fileId)).toBeUndefined();
    expect(await uploads.drop(CALLER, fileId)).toBe(false);
  });
});
