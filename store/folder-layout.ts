/**
 * The blob folder: `<caller>/<taskId>/<name>`, and beside each file a sidecar `<name>~about` that says what it is. `~` is in
 * no legal name, so that nothing but files can be named from outside.
 */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { TASK_ID_PATTERN } from '../protocol/extension.ts';
import { namesIn, orAbsent } from './whole-files.ts';

export const CALLER_PATTERN = /^[0-9a-f]{32}$/;
export const NAME_PATTERN = /^(?!\.+$)[A-Za-z0-9._-]{1,100}$/;
export const SIDECAR_SUFFIX = '~about';

/** The process has so many files and folders in hand at once, however many there are. */
const AT_ONCE = 32;

export interface TaskFolder {
  readonly taskId: string;
  /** Epoch ms, when a file of it was written or written again. */
  readonly writtenAt: number;
}

/** The folders of a caller's tasks, the one that was written to last first. */
export async function taskFolders(root: string, caller: string): Promise<readonly TaskFolder[]> {
  const taskIds = (await namesIn(join(root, caller))).filter((name) => TASK_ID_PATTERN.test(name)).sort();
  const folders: TaskFolder[] = [];
  for (let index = 0; index < taskIds.length; index += AT_ONCE) {
    const some = taskIds.slice(index, index + AT_ONCE).map(async (taskId) => {
      const writtenAt = await folderWrittenAt(join(root, caller, taskId));
      return writtenAt === undefined ? [] : [{ taskId, writtenAt }];
    });
    folders.push(...(await Promise.all(some)).flat());
  }
  return folders.sort((one, other) => other.writtenAt - one.writtenAt);
}

/** A folder's own time changes with every file that is renamed into it. `undefined`: there is no such folder. */
export async function folderWrittenAt(path: string): Promise<number | undefined> {
  const found = await orAbsent(lstat(path));
  return found?.isDirectory() === true ? found.mtimeMs : undefined;
}
