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
  /** A caller's files, newest task first. */
  list(caller: string): Promise<readonly { taskId: string; file: StoredFile }[]>;
  /** Forgets all files of a task. */
  drop(owner: FileOwner): Promise<void>;
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
