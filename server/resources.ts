/** The files that tasks made, as resources of the caller that started the task; and what the server offers to everybody. */
import type { Server } from '@modelcontextprotocol/server';
import { taskFileUri } from '../protocol/blob-ref.ts';
import { TASK_ID_PATTERN } from '../protocol/extension.ts';
import {
  FilePositionLost,
  type BlobStore,
  type FilePosition,
  type ListedFile,
  type StoredFile,
} from '../store/blobs.ts';
import type { AuditTrail } from './approvals/audit-trail.ts';
import { downloadedAct } from './approvals/told-downloads.ts';
import { anyParams } from './any-params.ts';
import { principalsOf, type Caller } from './caller.ts';
import { invalidParams, resourceNotFound } from './errors.ts';
import { NO_RESOURCES, type ResourceContents, type ResourceSource } from './resource-source.ts';
import { isResource, parseTaskFileUri } from './task-file-uri.ts';
import { TaskNotFound, type TaskStore } from './task-store.ts';

export interface ResourcesParts {
  readonly store: TaskStore;
  readonly blobs: BlobStore;
  readonly caller: Caller;
  readonly resourceSource?: ResourceSource | undefined;
  /** Absent without a database. */
  readonly audit?: AuditTrail | undefined;
}

/** Each costs a look at its task. */
export const RESOURCES_PER_PAGE = 100;

// oxlint-disable-next-line typescript/no-deprecated -- the low-level class is the one with the hooks for tasks
export function addResources(server: Server, parts: ResourcesParts): void {
  const source = parts.resourceSource ?? NO_RESOURCES;
  server.setRequestHandler('resources/list', anyParams, async ({ cursor }) => {
    const { resources, ...more } = await listFiles(parts, cursor);
    return { resources: cursor === undefined ? [...source.listed, ...resources] : [...resources], ...more };
  });
  server.setRequestHandler('resources/templates/list', anyParams, () => ({ resourceTemplates: [...source.templates] }));
  server.setRequestHandler('resources/read', anyParams, async ({ uri }) => {
    if (typeof uri !== 'string') throw invalidParams('params.uri must be a string.');
    return { contents: [source.read(uri) ?? (await readTaskFile(parts, uri))] };
  });
}

interface ListedResource {
  readonly uri: string;
  readonly name: string;
  readonly mimeType: string;
  readonly size: number;
}

/** A cursor names the file where the last page ended, so that new files do not shift the pages. */
async function listFiles(
  { store, blobs, caller }: ResourcesParts,
  cursor: unknown,
): Promise<{ resources: readonly ListedResource[]; nextCursor?: string }> {
  const { page, isLast } = await readPage(filesOf(blobs, caller, positionOf(cursor)));
  const readable = await readableTasks(
    { store, caller },
    page.map(({ taskId }) => taskId),
  );
  const resources = page.filter(({ taskId }) => readable.has(taskId)).map(toListed);
  const last = page.at(-1);
  return isLast || last === undefined ? { resources } : { resources, nextCursor: encodeCursor(last) };
}

/**
 * Those of the newest principal first. A task keeps the principal that it was started under, so no file is met twice.
 * @throws FilePositionLost
 */
async function* filesOf(
  blobs: BlobStore,
  caller: Caller,
  after: FilePosition | undefined,
): AsyncGenerator<ListedFile, void, void> {
  const principals = principalsOf(caller);
  let position = after;
  for (const [index, principal] of principals.entries()) {
    try {
      yield* blobs.list(principal, position);
      position = undefined;
    } catch (error) {
      const mayBeElsewhere = error instanceof FilePositionLost && index < principals.length - 1;
      if (!mayBeElsewhere) throw error;
    }
  }
}

async function readPage(files: AsyncIterable<ListedFile>): Promise<{ page: ListedFile[]; isLast: boolean }> {
  const page: ListedFile[] = [];
  try {
    for await (const listed of files) {
      if (!isResource(listed.file.name)) continue;
      if (page.length === RESOURCES_PER_PAGE) return { page, isLast: false };
      page.push(listed);
    }
  } catch (error) {
    throw error instanceof FilePositionLost ? unknownCursor() : error;
  }
  return { page, isLast: true };
}

function encodeCursor({ taskId, file }: ListedFile): string {
  return Buffer.from(`${taskId}/${file.name}`).toString('base64url');
}

function positionOf(cursor: unknown): FilePosition | undefined {
  if (cursor === undefined) return undefined;
  const text = typeof cursor === 'string' ? Buffer.from(cursor, 'base64url').toString() : '';
  const [taskId = '', name = '', ...rest] = text.split('/');
  if (!TASK_ID_PATTERN.test(taskId) || name === '' || rest.length > 0) throw unknownCursor();
  return { taskId, name };
}

function unknownCursor(): Error {
  return invalidParams('The cursor is unknown or too old. Call resources/list without a cursor.');
}

/** Files of a task that has expired are no longer there for its caller. */
async function readableTasks(
  { store, caller }: Pick<ResourcesParts, 'store' | 'caller'>,
  taskIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const readable = new Set<string>();
  for (const taskId of new Set(taskIds)) {
    try {
      await store.get(caller, taskId);
      readable.add(taskId);
    } catch (error) {
      if (!(error instanceof TaskNotFound)) throw error;
    }
  }
  return readable;
}

function toListed({ taskId, file: { name, mimeType, ref } }: ListedFile): ListedResource {
  return { uri: taskFileUri(taskId, name), name, mimeType, size: ref.bytes };
}

/**
 * A file is there as long as its task is: the task's retention and the task's owner decide.
 * @throws StoreDown: nobody gets a file without the audit knowing
 */
export async function readTaskFile(
  { store, blobs, caller, audit }: ResourcesParts,
  uri: string,
): Promise<ResourceContents> {
  const { taskId, name } = parseTaskFileUri(uri);
  // Also where no file can have that URI: the time of the answer must not tell what is wrong with it.
  await store.get(caller, taskId).catch((error: unknown) => {
    throw error instanceof TaskNotFound ? resourceNotFound(uri) : error;
  });
  const found = name === undefined ? undefined : await findFile(blobs, caller, { taskId, name });
  if (found === undefined) throw resourceNotFound(uri);
  const { file } = found;
  const { principal, displayName: by = principal } = caller;
  await audit?.append(downloadedAct({ taskId, file, principal, by, where: 'mcp' }));
  const { mimeType } = file;
  const bytes = Buffer.from(found.bytes);
  if (mimeType.startsWith('text/')) return { uri, mimeType, text: bytes.toString('utf8') };
  return { uri, mimeType, blob: bytes.toString('base64') };
}

async function findFile(
  blobs: BlobStore,
  caller: Caller,
  { taskId, name }: FilePosition,
): Promise<{ file: StoredFile; bytes: Uint8Array } | undefined> {
  for (const principal of principalsOf(caller)) {
    const found = await blobs.read({ caller: principal, taskId }, name);
    if (found !== undefined) return found;
  }
  return undefined;
}
