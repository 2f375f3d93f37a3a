/** Which file of which task a URI means, as links to files of tasks spell it. */
import { taskFileUri } from '../protocol/blob-ref.ts';

const PATTERN = /^task:\/\/(?<taskId>[^/]*)\/(?<name>[^/?#]{1,255})$/;

export interface TaskFileName {
  /** As it was written: whether there is such a task, the task store knows. Empty when the URI names none. */
  readonly taskId: string;
  /** Absent when no file is ever called so. */
  readonly name?: string;
}

export function parseTaskFileUri(uri: string): TaskFileName {
  const { taskId = '', name: encoded = '' } = PATTERN.exec(uri)?.groups ?? {};
  const name = decode(encoded);
  // One spelling a file: whatever is not exactly how a link spells it is not found.
  const isName =
    name !== '' &&
    isResource(name) &&
    !/[/\\\p{C}]/u.test(name) &&
    !/^\.+$/.test(name) &&
    taskFileUri(taskId, name) === uri;
  return isName ? { taskId, name } : { taskId };
}

/** What starts with an underscore is ours: results that are too large for a history. */
export function isResource(name: string): boolean {
  return !name.startsWith('_');
}

function decode(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return '';
  }
}
