import type { Notice } from '../../protocol/notice.ts';
import { approvalPath, taskPath } from '../inbox/paths.ts';

/** The page that shows it to whoever signs in. It only shows: nothing is decided by a link. */
export function noticeLink(inboxOrigin: string, { taskId, details }: Pick<Notice, 'taskId' | 'details'>): string {
  const { approvalId, byLink } = details;
  // What somebody outside answers shows in the inbox with the task of whoever asks.
  return inboxOrigin + (approvalId === undefined || byLink === true ? taskPath(taskId) : approvalPath(approvalId));
}
