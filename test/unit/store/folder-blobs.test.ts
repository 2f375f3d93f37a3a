import { describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BlobStoreError, type FileOwner } from '../../../store/blobs.ts';
import { FolderBlobStore } from '../../../store/folder-blobs.ts';
import { listed } from '../../support/listed-files.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { onSmallDisk } from '../../support/small-disk.ts';

const owner: FileOwner = { caller: '0123456789abcdef'.repeat(2), taskId: 'abcdefghijklmnopqrstuv' };
const other: FileOwner = { caller: 'f'.repeat(32), taskId: owner.taskId };

function aFile(name = 'order.pdf', content = 'content'): { name: string; mimeType: string; bytes: Uint8Array } {
  return { name, mimeType: 'application/pdf', bytes: Buffer.from(content) };
}

describe('put', () => {
  it('gives back what another store on the same folder reads', async () => {
    const root = await temporaryFolder();
    const stored = await new FolderBlobStore(root).put(owner, aFile());
    expect(stored).toMatchObject({ name: 'order.pdf', mimeType: 'application/pdf', ref: { bytes: 7 } });
    expect(stored.ref.key).toBe(`${owner.caller}/${owner.taskId}/order.pdf`);
    const read = await new FolderBlobStore(root).read(owner, 'order.pdf');
    expect(read?.file).toEqual(stored);
    expect(Buffer.from(read!.bytes).toString()).toBe('content');
  });

  it('lets nobody but its own user into the folder', async () => {
    const root = join(await temporaryFolder(), 'blobs');
    await new FolderBlobStore(root).put(owner, aFile());
    expect((await stat(root)).mode & 0o777).toBe(0o700);
    expect((await stat(join(root, owner.caller, owner.taskId, 'order.pdf'))).mode & 0o777).toBe(0o600);
  });

  it.each(['../../evil', '..', '.', '', 'a/b', 'a\\b', 'ä.pdf', 'x'.repeat(101), 'order.pdf~about', 'a\u0000b'])(
    'files %p under a legal name in the task’s own folder',
    async (name) => {
      const root = await temporaryFolder();
      const store = new FolderBlobStore(root);
      const stored = await store.put(owner, aFile(name));
      expect(stored.name).toMatch(/^[A-Za-z0-9._-]{1,100}$/);
      expect((await store.read(owner, stored.name))?.file).toEqual(stored);
      expect(await readdir(root)).toEqual([owner.caller]);
      expect(await readdir(join(root, owner.caller))).toEqual([owner.taskId]);
    },
  );

  it.each([
    { ...owner, caller: '../x' },
    { ...owner, caller: owner.caller.toUpperCase() },
    { ...owner, taskId: '..' },
    { ...owner, taskId: `${owner.taskId}/` },
  ])('refuses the owner %p', async (wrong) => {
    const root = await temporaryFolder();
    await expect(new FolderBlobStore(root).put(wrong, aFile())).rejects.toThrow('as they are minted');
    expect(await readdir(root)).toEqual([]);
  });

  it('leaves one whole file when many writers put the same or other bytes at once', async () => {
    const root = await temporaryFolder();
    const stores = [new FolderBlobStore(root), new FolderBlobStore(root)];
    const contents = Array.from({ length: 20 }, (_, index) => `content ${index % 2}`);
    await Promise.allSettled(contents.map((content, index) => stores[index % 2]!.put(owner, aFile('a.txt', content))));
    await stores[0]!.put(owner, aFile('a.txt', 'content 0'));
    const read = await stores[1]!.read(owner, 'a.txt');
    expect(Buffer.from(read!.bytes).toString()).toBe('content 0');
    expect((await readdir(join(root, owner.caller, owner.taskId))).sort()).toEqual(['a.txt', 'a.txt~about']);
  });

  it('leaves nothing half-written on a full disk, and goes on with what fits', async () => {
    const outcome = await putOnFullDisk(1_000_000);
    expect(outcome.small).toBe('stored');
    expect(outcome.large).toMatch(/^BlobStoreError: The blob folder cannot write/);
    expect(outcome.names).toEqual(['small.txt', 'small.txt~about']);
    expect(outcome.smallAgain).toBe('stored');
  });

  it('says so when the folder is out of reach', async () => {
    const file = join(await temporaryFolder(), 'file');
    await writeFile(file, '');
    await expect(new FolderBlobStore(file).put(owner, aFile())).rejects.toBeInstanceOf(BlobStoreError);
  });
});

describe('read', () => {
  it.each(['order.pdf~about', '../order.pdf', '..', '', 'none.pdf'])('knows no file %p', async (name) => {
    const store = new FolderBlobStore(await temporaryFolder());
    await store.put(owner, aFile());
    expect(await store.read(owner, name)).toBeUndefined();
  });

  it('does not show a file to another caller', async () => {
    const store = new FolderBlobStore(await temporaryFolder());
    await store.put(owner, aFile());
    expect(await store.read(other, 'order.pdf')).toBeUndefined();
  });

  it('refuses bytes that do not match their checksum', async () => {
    const root = await temporaryFolder();
    const store = new FolderBlobStore(root);
    await store.put(owner, aFile());
    await writeFile(join(root, owner.caller, owner.taskId, 'order.pdf'), 'changed');
    await expect(store.read(owner, 'order.pdf')).rejects.toBeInstanceOf(BlobStoreError);
  });

  it('finds no file whose sidecar a crash has kept from being written', async () => {
    const root = await temporaryFolder();
    const store = new FolderBlobStore(root);
    await store.put(owner, aFile());
    await rm(join(root, owner.caller, owner.taskId, 'order.pdf~about'));
    expect(await store.read(owner, 'order.pdf')).toBeUndefined();
    expect(await listed(store, owner.caller)).toEqual([]);
    await store.put(owner, aFile());
    expect(await store.read(owner, 'order.pdf')).toBeDefined();
  });
});

describe('drop', () => {
  it('forgets all files of one task, and is harmless when repeated', async () => {
    const store = new FolderBlobStore(await temporaryFolder());
    await store.put(owner, aFile());
    await store.put(other, aFile());
    await store.drop(owner);
    await store.drop(owner);
    expect(await store.read(owner, 'order.pdf')).toBeUndefined();
    expect(await store.read(other, 'order.pdf')).toBeDefined();
  });
});

interface Outcome {
  readonly small: string;
  readonly large: string;
  readonly names: readonly string[];
  readonly smallAgain: string;
}

async function putOnFullDisk(byteCount: number): Promise<Outcome> {
  const folder = await temporaryFolder();
  const put = [process.execPath, '--import', 'tsx', 'test/support/put-blob.ts', folder, String(byteCount)];
  const [command, args] = onSmallDisk(folder, 256, put);
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'] };
  const { stdout } = await promisify(execFile)(command, args, { env, timeout: 20_000 });
  return JSON.parse(stdout) as Outcome;
}
