/** What people and systems are told of a task, and by what. The acts of the task are where it comes from. */

export type NoticeKind =
  | 'approval.needed'
  | 'approval.reminder'
  | 'approval.escalated'
  | 'approval.expiring'
  | 'approval.decided'
  | 'question.open'
  | 'task.expiring'
  | 'task.finished';

export type NoticeChannel = 'mail' | 'webhook';

/** What can be said of it. Nothing here is of the content of a task: no details, no questions, no reasons. */
export type NoticeDetails = Readonly<{
  tool: string;
  /** Of the approval. */
  title?: string;
  /** In money, such as `759.60 EUR`. */
  amount?: string;
  /** Until when a decision counts, ISO 8601. */
  due?: string;
  approvalId?: string;
  /** Of the question: the key under which it is asked. */
  questionKey?: string;
  /** Only those who hold this role are told. */
  role?: string;
  /** It is for whoever is to hold the link of the approval, outside the sign-in. */
  byLink?: true;
}>;

export interface Notice {
  /** The same at each attempt. */
  readonly id: string;
  readonly taskId: string;
  readonly kind: NoticeKind;
  readonly details: NoticeDetails;
}

export const NOTICE_CHANNELS: readonly NoticeChannel[] = ['mail', 'webhook'];

const REQUESTER_IS_TOLD: ReadonlySet<NoticeKind> = new Set([
  'approval.decided',
  'question.open',
  'task.expiring',
  'task.finished',
]);

/** By mail whoever has called is told of it; of the others whoever is asked to decide. */
export function isForRequester(kind: NoticeKind): boolean {
  return REQUESTER_IS_TOLD.has(kind);
}
