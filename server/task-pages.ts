/** A caller's tasks, a page at a time. A cursor is good for the same caller only, and for a while. */
import type { Caller } from './caller.ts';
import type { Sealing } from './sealing.ts';
import type { ListedTask, TaskStore } from './task-store.ts';

export interface TaskPagesParts {
  readonly store: TaskStore;
  readonly caller: Caller;
  readonly cursors: Sealing;
}

export interface ShownPage {
  readonly tasks: readonly ListedTask[];
  /** Absent on the last page. */
  readonly nextCursor?: string;
}

const PAGE_SIZE = 20;
const CURSOR_TTL_MS = 3_600_000;

/** `undefined`: the cursor is not one of this caller's, or too old. @throws StoreUnavailable */
export async function readTaskPage(
  { store, caller, cursors }: TaskPagesParts,
  cursor: string | undefined,
): Promise<ShownPage | undefined> {
  const owner = [caller.principal];
  const token = cursor === undefined ? undefined : cursors.open(cursor, owner, Date.now());
  if (cursor !== undefined && typeof token !== 'string') return undefined;
  const { tasks, nextPageToken } = await store.list(caller, {
    size: PAGE_SIZE,
    ...(typeof token === 'string' ? { token } : {}),
  });
  if (nextPageToken === undefined) return { tasks };
  return { tasks, nextCursor: cursors.seal(nextPageToken, owner, Date.now() + CURSOR_TTL_MS) };
}
