/** The files that tasks made, as resources of the caller that started the task; and what the server offers to everybody. */
import type { Server } from '@modelcontextprotocol/server';
import { taskFileUri } from '../protocol/blob-ref.ts';
import type { BlobStore, StoredFile } from '../store/blobs.ts';
import { anyParams } from './any-params.ts';
import type { Caller } from './caller.ts';
import { invalidParams, resourceNotFound } from './errors.ts';
import { NO_RESOURCES, type ResourceContents, type ResourceSource } from './resource-source.ts';
import { TaskNotFound, type TaskStore } from './task-store.ts';

export interface ResourcesParts {
  readonly store: TaskStore;
  readonly blobs: BlobStore;
  readonly caller: Caller;
  readonly resourceSource?: ResourceSource | undefined;
}

const PAGE_SIZE = 100;
const URI_PATTERN = /^task:\/\/(?<taskId>[A-Za-z0-9_-]{22})\/(?<name>[^/?#]{1,255})$/;

// eslint-disable-next-line @typescript-eslint/no-deprecated -- the low-level class is the one with the hooks for tasks
export function addResources(server: Server, parts: ResourcesParts): void {
  const source = parts.resourceSource ?? NO_RESOURCES;
  server.setRequestHandler('resources/list', anyParams, async ({ cursor }) => {
    const { resources, ...more } = await listFiles(parts, cursor);
    return { resources: cursor === undefined ? [...source.listed, ...resources] : [...resources], ...more };
  });
  server.setRequestHandler('resources/templates/list', anyParams, () => ({ resourceTemplates: [...source.templates] }));
  server.setRequestHandler('resources/read', anyParams, async ({ uri }) => {
    if (typeof uri !== 'string') throw invalidParams('params.uri must be a string.');
    return { contents: [source.read(uri) ?? (await readFile(parts, uri))] };
  });
}

interface ListedFile {
  readonly uri: string;
  readonly name: string;
  readonly mimeType: string;
  readonly size: number;
}

/** A cursor is the URI where the last page ended, so that new files do not shift the pages. */
async function listFiles(
  { store, blobs, caller }: ResourcesParts,
  cursor: unknown,
): Promise<{ resources: readonly ListedFile[]; nextCursor?: string }> {
  const stored = (await blobs.list(caller.principal)).filter(({ file }) => isResource(file.name));
  const files = stored.map(({ taskId, file }) => toListed(taskId, file));
  const start = cursor === undefined ? 0 : files.findIndex((file) => encodeCursor(file.uri) === cursor) + 1;
  if (cursor !== undefined && start === 0) {
    throw invalidParams('The cursor is unknown or too old. Call resources/list without a cursor.');
  }
  const page = stored.slice(start, start + PAGE_SIZE);
  const readable = await readableTasks(
    { store, caller },
    page.map(({ taskId }) => taskId),
  );
  const resources = page.filter(({ taskId }) => readable.has(taskId)).map(({ taskId, file }) => toListed(taskId, file));
  const last = files[start + PAGE_SIZE - 1];
  const isLastPage = last === undefined || start + PAGE_SIZE >= files.length;
  return isLastPage ? { resources } : { resources, nextCursor: encodeCursor(last.uri) };
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

/** What starts with an underscore is ours: results that are too large for a history. */
function isResource(name: string): boolean {
  return !name.startsWith('_');
}

function toListed(taskId: string, { name, mimeType, ref }: StoredFile): ListedFile {
  return { uri: taskFileUri(taskId, name), name, mimeType, size: ref.bytes };
}

function encodeCursor(uri: string): string {
  return Buffer.from(uri).toString('base64url');
}

/** A file is there as long as its task is: the task's retention and the task's owner decide. */
async function readFile({ store, blobs, caller }: ResourcesParts, uri: string): Promise<ResourceContents> {
  const { taskId, name } = parseUri(uri);
  await store.get(caller, taskId).catch((error: unknown) => {
    throw error instanceof TaskNotFound ? resourceNotFound(uri) : error;
  });
  const found = await blobs.read({ caller: caller.principal, taskId }, name);
  if (found === undefined) throw resourceNotFound(uri);
  const { mimeType } = found.file;
  const bytes = Buffer.from(found.bytes);
  if (mimeType.startsWith('text/')) return { uri, mimeType, text: bytes.toString('utf8') };
  return { uri, mimeType, blob: bytes.toString('base64') };
}

function parseUri(uri: string): { taskId: string; name: string } {
  const { taskId = '', name: encoded = '' } = URI_PATTERN.exec(uri)?.groups ?? {};
  const name = decode(encoded);
  // One spelling a file: whatever is not exactly how a link spells it is not found.
  if (
    name === '' ||
    !isResource(name) ||
    /[/\\\p{C}]/u.test(name) ||
    /^\.+$/.test(name) ||
    taskFileUri(taskId, name) !== uri
  ) {
    throw resourceNotFound(uri);
  }
  return { taskId, name };
}

function decode(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return '';
  }
}
