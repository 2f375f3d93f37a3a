/** What the audit is told of who takes a file of a task: the first time of each person, file and door. */
import type { OutsideAct } from '../../protocol/act.ts';
import type { StoredFile } from '../../store/blobs.ts';

export interface Download {
  readonly taskId: string;
  readonly file: StoredFile;
  /** Who takes it: the hash of whom their credential names, and what others read. */
  readonly principal: string;
  readonly by: string;
  /** For whom they stood in. */
  readonly onBehalfOf?: string | undefined;
  /** `mcp`: a program took it for them. */
  readonly where: 'inbox' | 'mcp';
}

export function downloadedAct({ taskId, file, principal, by, onBehalfOf, where }: Download): OutsideAct {
  const { name, ref } = file;
  return {
    taskId,
    type: 'downloaded',
    about: JSON.stringify([name, ref.sha256, principal, where]),
    by,
    at: Date.now(),
    data: { file: name, digest: ref.sha256, principal, in: where, ...(onBehalfOf === undefined ? {} : { onBehalfOf }) },
  };
}
