/**
 * The blob store as a folder that all processes share; folder-layout.ts says what lies where. The sidecar is the commit
 * point: a file without one is not there. Every write goes to a temporary file, is synchronised and renamed.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { TASK_ID_PATTERN } from '../protocol/extension.ts';
import {
  BlobStoreError,
  FilePositionLost,
  type BlobStore,
  type FileOwner,
  type FilePosition,
  type ListedFile,
  type StoredFile,
  type SweepOptions,
} from './blobs.ts';
import { CALLER_PATTERN, NAME_PATTERN, SIDECAR_SUFFIX, taskFolders } from './folder-layout.ts';
import { sweepFolder } from './folder-sweep.ts';
import { namesIn, orAbsent, writeWhole } from './whole-files.ts';

/** Two processes may put different bytes under one name at once; each looks whether its own file stands. */
const MAX_ATTEMPTS = 5;

interface About {
  readonly mimeType: string;
  readonly sha256: string;
  readonly bytes: number;
  /** Epoch ms. */
  readonly storedAt: number;
}

export class FolderBlobStore implements BlobStore {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  async put(owner: FileOwner, file: { name: string; mimeType: string; bytes: Uint8Array }): Promise<StoredFile> {
    if (!isOwner(owner)) throw new Error('A blob needs a caller and a task id as they are minted.');
    const name = sanitized(file.name);
    const about = {
      mimeType: file.mimeType,
      sha256: sha256Of(file.bytes),
      bytes: file.bytes.byteLength,
      storedAt: Date.now(),
    };
    return this.#guard('write', async () => {
      const folder = this.#folderOf(owner);
      for (let attempt = 1; (await orAbsent(keep(folder, name, about))) !== true; attempt += 1) {
        if (attempt > MAX_ATTEMPTS) throw new Error('Other writers keep replacing the file.');
        // A sweep may take the folder away half-way: the next attempt makes it anew.
        await orAbsent(replace(folder, name, about, file.bytes));
      }
      return toStoredFile(owner, name, about);
    });
  }

  async read(owner: FileOwner, name: string): Promise<{ file: StoredFile; bytes: Uint8Array } | undefined> {
    if (!isOwner(owner) || !NAME_PATTERN.test(name)) return undefined;
    return this.#guard('read', async () => {
      const folder = this.#folderOf(owner);
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
        const about = await readAbout(folder, name);
        const bytes = about && (await orAbsent(readFile(join(folder, name))));
        if (about === undefined || bytes === undefined) return undefined;
        if (sha256Of(bytes) === about.sha256) return { file: toStoredFile(owner, name, about), bytes };
      }
      throw new Error(`The checksum of ${join(folder, name)} does not match.`);
    });
  }

  async *list(caller: string, after?: FilePosition): AsyncGenerator<ListedFile, void, void> {
    const folders = CALLER_PATTERN.test(caller) ? await this.#guard('list', () => taskFolders(this.#root, caller)) : [];
    const start = after === undefined ? 0 : folders.findIndex(({ taskId }) => taskId === after.taskId);
    if (start < 0) throw new FilePositionLost('The task of this file is not there any more.');
    for (const { taskId } of folders.slice(start)) {
      const names = await this.#guard('list', () => this.#namesOf({ caller, taskId }));
      for (const name of names) {
        if (taskId === after?.taskId && name <= after.name) continue;
        const about = await this.#guard('list', () => readAbout(this.#folderOf({ caller, taskId }), name));
        if (about !== undefined) yield { taskId, file: toStoredFile({ caller, taskId }, name, about) };
      }
    }
  }

  async drop(owner: FileOwner): Promise<void> {
    if (!isOwner(owner)) return;
    await this.#guard('drop', () => rm(this.#folderOf(owner), { recursive: true, force: true }));
  }

  sweep(options: SweepOptions): Promise<number> {
    return this.#guard('sweep', () => sweepFolder(this.#root, options));
  }

  async #namesOf(owner: FileOwner): Promise<string[]> {
    return (await namesIn(this.#folderOf(owner))).filter((name) => NAME_PATTERN.test(name)).sort();
  }

  #folderOf({ caller, taskId }: FileOwner): string {
    return join(this.#root, caller, taskId);
  }

  async #guard<T>(what: string, run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error: unknown) {
      const code = (error as NodeJS.ErrnoException).code;
      const reason = code === 'ENOSPC' || code === 'EDQUOT' ? 'the disk is full' : String(error);
      throw new BlobStoreError(`The blob folder cannot ${what}: ${reason}`, { cause: error });
    }
  }
}

function isOwner({ caller, taskId }: FileOwner): boolean {
  return CALLER_PATTERN.test(caller) && TASK_ID_PATTERN.test(taskId);
}

/** A legal name stays as it is; anything else gets one that is legal and no other file's. */
function sanitized(name: string): string {
  if (NAME_PATTERN.test(name)) return name;
  const legal = name.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[.-]+/, '');
  return `${sha256Of(Buffer.from(name)).slice(0, 12)}-${legal.slice(-80)}`;
}

function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function toStoredFile({ caller, taskId }: FileOwner, name: string, about: About): StoredFile {
  const ref = { key: `${caller}/${taskId}/${name}`, sha256: about.sha256, bytes: about.bytes };
  return { ref, name, mimeType: about.mimeType };
}

async function stands(folder: string, name: string, wanted: About): Promise<boolean> {
  const about = await readAbout(folder, name);
  if (about?.sha256 !== wanted.sha256 || about.mimeType !== wanted.mimeType) return false;
  const bytes = await orAbsent(readFile(join(folder, name)));
  return bytes !== undefined && sha256Of(bytes) === wanted.sha256;
}

/** Whether the file stands. It is as young as one that is written now: no sweep takes it away. */
async function keep(folder: string, name: string, wanted: About): Promise<boolean> {
  if (!(await stands(folder, name, wanted))) return false;
  const now = new Date();
  await utimes(folder, now, now);
  return true;
}

async function replace(folder: string, name: string, about: About, bytes: Uint8Array): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Whoever reads from here on finds no file rather than new bytes under an old checksum.
  await rm(join(folder, name + SIDECAR_SUFFIX), { force: true });
  await writeWhole(folder, name, bytes);
  await writeSidecar(folder, name, about);
}

async function readAbout(folder: string, name: string): Promise<About | undefined> {
  const text = await orAbsent(readFile(join(folder, name + SIDECAR_SUFFIX), 'utf8'));
  return text === undefined ? undefined : (JSON.parse(text) as About);
}

/** A file that could not get its sidecar does not stay. */
async function writeSidecar(folder: string, name: string, about: About): Promise<void> {
  try {
    await writeWhole(folder, name + SIDECAR_SUFFIX, Buffer.from(JSON.stringify(about)));
  } catch (error) {
    await rm(join(folder, name), { force: true });
    throw error;
  }
}
