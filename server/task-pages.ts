/** A caller's tasks, a page at a time. A cursor is good for the same caller and the same filter only, and for a while. */
import type { Caller } from './caller.ts';
import type { Sealing } from './sealing.ts';
import type { ListedTask, TaskFilter, TaskStore } from './task-store.ts';

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

export interface PageOptions {
  /** 1 to 100; default 20. It may change from page to page. */
  readonly size?: number;
  readonly filter?: TaskFilter;
}

const PAGE_SIZE = 20;
const CURSOR_TTL_MS = 3_600_000;

/** `undefined`: the cursor is not one of this caller's for this filter, or too old. @throws StoreUnavailable */
export async function readTaskPage(
  { store, caller, cursors }: TaskPagesParts,
  cursor: string | undefined,
  { size = PAGE_SIZE, filter = {} }: PageOptions = {},
): Promise<ShownPage | undefined> {
  const listed = boundTo(filter);
  const token = cursor === undefined ? undefined : cursors.open(cursor, caller, Date.now(), listed);
  if (cursor !== undefined && typeof token !== 'string') return undefined;
  const { tasks, nextPageToken } = await store.list(caller, {
    size,
    filter,
    ...(typeof token === 'string' ? { token } : {}),
  });
  if (nextPageToken === undefined) return { tasks };
  return { tasks, nextCursor: cursors.seal(nextPageToken, caller, Date.now() + CURSOR_TTL_MS, listed) };
}

/** One text for each filter, whatever the order of its members. */
function boundTo({ tool, status, createdFrom, createdBefore }: TaskFilter): string {
  return JSON.stringify([tool, status, createdFrom, createdBefore]);
}
