/**
 * Files that callers bring along for tools to read. They stand in a blob store of their own, each as a folder of two files:
 *
 *     <caller>/<fileId>/content       the bytes
 *     <caller>/<fileId>/about.json    how its caller calls it, and until when it is kept; written last: the commit point
 *
 * Front and worker share the folder. It is none of a task's files, so that none of these lists or reads it.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type BlobStore, type StoredFile } from './blobs.ts';
import { FolderBlobStore } from './folder-blobs.ts';

export interface Upload {
  /** 128 bits in base64url. Whoever knows it and is not its caller finds nothing. */
  readonly fileId: string;
  /** As its caller said it: a name for people, never a path. */
  readonly name: string;
  readonly mimeType: UploadType;
  readonly bytes: number;
  /** In hex. */
  readonly sha256: string;
  /** Epoch ms; from then on it is not there. */
  readonly expiresAt: number;
}

export const UPLOAD_TYPES = ['application/pdf', 'text/csv', 'application/zip'] as const;
export type UploadType = (typeof UPLOAD_TYPES)[number];

export interface NewUpload {
  readonly name: string;
  readonly mimeType: UploadType;
  readonly bytes: Uint8Array;
}

/** No path of the file's name reaches the disk: the names there are these. */
const CONTENT = 'content';
const ABOUT = 'about.json';
const FILE_ID_BYTES = 16;

interface About {
  readonly name: string;
  readonly mimeType: UploadType;
  readonly expiresAt: number;
}

/** The uploads in the blob folder that front and worker share. `keepMs`: of those that are put; who only reads needs none. */
export function openUploads(blobDir: string, keepMs = 0): Uploads {
  return new Uploads(new FolderBlobStore(join(blobDir, 'uploads')), keepMs);
}

export class Uploads {
  readonly #blobs: BlobStore;
  readonly #keepMs: number;

  constructor(blobs: BlobStore, keepMs: number) {
    this.#blobs = blobs;
    this.#keepMs = keepMs;
  }

  /** `caller`: its hash. @throws BlobStoreError when the store is full or out of reach */
  async put(caller: string, { name, mimeType, bytes }: NewUpload): Promise<Upload> {
    const fileId = randomBytes(FILE_ID_BYTES).toString('base64url');
    const owner = { caller, taskId: fileId };
    const about: About = { name, mimeType, expiresAt: Date.now() + this.#keepMs };
    const content = await this.#blobs.put(owner, { name: CONTENT, mimeType, bytes });
    const json = Buffer.from(JSON.stringify(about));
    await this.#blobs.put(owner, { name: ABOUT, mimeType: 'application/json', bytes: json });
    return toUpload(fileId, about, content);
  }

  /** `undefined` when it never was, is kept no longer, belongs to somebody else, or is no id at all. @throws BlobStoreError */
  async read(caller: string, fileId: string): Promise<{ upload: Upload; bytes: Uint8Array } | undefined> {
    const owner = { caller, taskId: fileId };
    const about = await this.#about(caller, fileId);
    const content = about && (await this.#blobs.read(owner, CONTENT));
    if (about === undefined || content === undefined) return undefined;
    return { upload: toUpload(fileId, about, content.file), bytes: content.bytes };
  }

  /** What the caller has, the newest first. @throws BlobStoreError */
  async list(caller: string): Promise<readonly Upload[]> {
    const uploads: Upload[] = [];
    for await (const { taskId: fileId, file } of this.#blobs.list(caller)) {
      if (file.name !== CONTENT) continue;
      const about = await this.#about(caller, fileId);
      if (about !== undefined) uploads.push(toUpload(fileId, about, file));
    }
    return uploads;
  }

  /** Whether it was there. @throws BlobStoreError */
  async drop(caller: string, fileId: string): Promise<boolean> {
    const wasThere = (await this.#about(caller, fileId)) !== undefined;
    if (wasThere) await this.#blobs.drop({ caller, taskId: fileId });
    return wasThere;
  }

  /** As `BlobStore.sweep`. */
  sweep(options: Parameters<BlobStore['sweep']>[0]): Promise<number> {
    return this.#blobs.sweep(options);
  }

  async #about(caller: string, fileId: string): Promise<About | undefined> {
    const found = await this.#blobs.read({ caller, taskId: fileId }, ABOUT);
    if (found === undefined) return undefined;
    const about = JSON.parse(Buffer.from(found.bytes).toString()) as About;
    return about.expiresAt > Date.now() ? about : undefined;
  }
}

function toUpload(fileId: string, { name, mimeType, expiresAt }: About, { ref }: StoredFile): Upload {
  return { fileId, name, mimeType, bytes: ref.bytes, sha256: ref.sha256, expiresAt };
}
