/** Where the pages are. */
export const INBOX_PATH = '/inbox';
export const SIGN_IN_PATH = `${INBOX_PATH}/sign-in`;
/** To which the issuer sends people back. */
export const CALLBACK_PATH = `${SIGN_IN_PATH}/callback`;

/** Only pages of the inbox: whatever else a link asks for leads to the first of them. */
export function returnPath(asked: string | undefined): string {
  return asked !== undefined && /^\/inbox(\/[\w-]+)*$/.test(asked) ? asked : INBOX_PATH;
}

export function isInboxPath(path: string): boolean {
  return path === INBOX_PATH || path.startsWith(`${INBOX_PATH}/`) || path.startsWith(`${LINKS_PATH}/`);
}

/** The pages of those who have a link and no sign-in. */
export const LINKS_PATH = '/links';

export function linkPath(token: string): string {
  return `${LINKS_PATH}/${encodeURIComponent(token)}`;
}

export function approvalPath(approvalId: string): string {
  return `${INBOX_PATH}/approvals/${encodeURIComponent(approvalId)}`;
}

export function documentPath(approvalId: string, name: string): string {
  return `${approvalPath(approvalId)}/documents/${encodeURIComponent(name)}`;
}

/** Where the queue learns of changes. */
export const LIVE_PATH = `${INBOX_PATH}/live`;

export function approvalLivePath(approvalId: string): string {
  return `${approvalPath(approvalId)}/live`;
}

export const DELEGATIONS_PATH = `${INBOX_PATH}/delegations`;

/** With this role chosen already; the empty one: all decisions. */
export function delegateRolePath(role: string): string {
  return `${DELEGATIONS_PATH}?${new URLSearchParams({ role }).toString()}`;
}

export const TASKS_PATH = `${INBOX_PATH}/tasks`;

export function taskPath(taskId: string): string {
  return `${TASKS_PATH}/${encodeURIComponent(taskId)}`;
}
