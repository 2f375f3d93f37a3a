/**
 * The blob store as a folder that all processes share: `<caller>/<taskId>/<name>`, and beside each file a sidecar
 * `<name>~about` that says what it is. The sidecar is the commit point: a file without one is not there.
 *
 * Every write goes to a temporary file, is synchronised and renamed. `~` is in no legal name, so that neither sidecars
 * nor temporary files can be named from outside.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { TASK_ID_PATTERN } from '../protocol/extension.ts';
import { BlobStoreError, type BlobStore, type FileOwner, type StoredFile } from './blobs.ts';

const CALLER_PATTERN = /^[0-9a-f]{32}$/;
const NAME_PATTERN = /^(?!\.+$)[A-Za-z0-9._-]{1,100}$/;
const SIDECAR_SUFFIX = '~about';
/** Two processes may put different bytes under one name at once; each looks whether its own file stands. */
const MAX_ATTEMPTS = 5;

interface About {
  readonly mimeType: string;
  readonly sha256: string;
  readonly bytes: number;
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
      await mkdir(folder, { recursive: true, mode: 0o700 });
      for (let attempt = 1; !(await stands(folder, name, about)); attempt += 1) {
        if (attempt > MAX_ATTEMPTS) throw new Error('Other writers keep replacing the file.');
        // Whoever reads from here on finds no file rather than new bytes under an old checksum.
        await rm(join(folder, name + SIDECAR_SUFFIX), { force: true });
        await writeWhole(folder, name, file.bytes);
        await writeSidecar(folder, name, about);
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

  async list(caller: string): Promise<readonly { taskId: string; file: StoredFile }[]> {
    if (!CALLER_PATTERN.test(caller)) return [];
    return this.#guard('list', async () => {
      const taskIds = (await namesIn(join(this.#root, caller))).filter((id) => TASK_ID_PATTERN.test(id));
      const tasks = await Promise.all(taskIds.map((taskId) => this.#filesOf({ caller, taskId })));
      return tasks
        .filter(({ files }) => files.length > 0)
        .sort((one, other) => other.newestAt - one.newestAt)
        .flatMap(({ taskId, files }) => files.map((file) => ({ taskId, file })));
    });
  }

  async drop(owner: FileOwner): Promise<void> {
    if (!isOwner(owner)) return;
    await this.#guard('drop', () => rm(this.#folderOf(owner), { recursive: true, force: true }));
  }

  async #filesOf(owner: FileOwner): Promise<{ taskId: string; newestAt: number; files: StoredFile[] }> {
    const folder = this.#folderOf(owner);
    const names = (await namesIn(folder)).filter((name) => NAME_PATTERN.test(name)).sort();
    const found = await Promise.all(names.map(async (name) => ({ name, about: await readAbout(folder, name) })));
    const files: StoredFile[] = [];
    let newestAt = 0;
    for (const { name, about } of found) {
      if (about === undefined) continue;
      files.push(toStoredFile(owner, name, about));
      newestAt = Math.max(newestAt, about.storedAt);
    }
    return { taskId: owner.taskId, newestAt, files };
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

async function readAbout(folder: string, name: string): Promise<About | undefined> {
  const text = await orAbsent(readFile(join(folder, name + SIDECAR_SUFFIX), 'utf8'));
  return text === undefined ? undefined : (JSON.parse(text) as About);
}

async function writeWhole(folder: string, name: string, bytes: Uint8Array): Promise<void> {
  const temporary = join(folder, `${name}~${randomUUID()}`);
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, join(folder, name));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
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

async function namesIn(folder: string): Promise<string[]> {
  return (await orAbsent(readdir(folder))) ?? [];
}

async function orAbsent<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error: unknown) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
