/** Files and large results: what is too big for a workflow's history, shared by all processes. */
import type { BlobRef } from '../protocol/blob-ref.ts';

export interface StoredFile {
  readonly ref: BlobRef;
  readonly name: string;
  readonly mimeType: string;
}

/**
 * The port. Everything is filed under a caller and a task, so that one caller's names never reach another's files.
 * A write is atomic: it is there whole, under its checksum, or not at all. Writing the same file again is harmless.
 */
export interface BlobStore {
  /** @throws BlobStoreError when the store is full or out of reach */
  put(owner: FileOwner, file: { name: string; mimeType: string; bytes: Uint8Array }): Promise<StoredFile>;
  /** `undefined`: no such file. @throws BlobStoreError also when the checksum does not match */
  read(owner: FileOwner, name: string): Promise<{ file: StoredFile; bytes: Uint8Array } | undefined>;
  /**
   * A caller's files, or those behind `after`: the task that was written to last comes first, its files by name. They are
   * looked at as they are taken: whoever takes a page pays for a page.
   * @throws FilePositionLost, BlobStoreError
   */
  list(caller: string, after?: FilePosition): AsyncIterable<ListedFile>;
  /** Forgets all files of a task. */
  drop(owner: FileOwner): Promise<void>;
  /**
   * Forgets all files of tasks that nobody has put a file of lately, and says of how many. Safe beside readers, writers and
   * other sweeps; broken off at any moment, the next one carries on. @throws BlobStoreError
   */
  sweep(options: SweepOptions): Promise<number>;
}

export interface FilePosition {
  readonly taskId: string;
  readonly name: string;
}

export interface ListedFile {
  readonly taskId: string;
  readonly file: StoredFile;
}

export interface SweepOptions {
  /** Epoch ms. Of a task whose last `put` was earlier, nothing is kept. */
  readonly writtenBefore: number;
  /** At most so many tasks. */
  readonly limit: number;
  /** Ends it between two tasks. */
  readonly signal?: AbortSignal;
}

export interface FileOwner {
  /** Hash of the caller. */
  readonly caller: string;
  readonly taskId: string;
}

/** The store is full or out of reach. The message is for the operator, never for the caller. */
export class BlobStoreError extends Error {
  override readonly name = 'BlobStoreError';
}

/** A list cannot go on from there: the task's files are not there any more. */
export class FilePositionLost extends Error {
  override readonly name = 'FilePositionLost';
}
