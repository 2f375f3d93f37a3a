/** What a mail says: fixed words, and of the task its title and amount in single lines. What is to be decided stands in the inbox. */
import { singleLine } from '../../mail/single-line.ts';
import type { Notice, NoticeKind } from '../../protocol/notice.ts';

export interface MailText {
  readonly subject: string;
  readonly text: string;
}

interface Words {
  readonly subject: string;
  readonly first: string;
  /** What there is to do; nothing, when there is only something to see. */
  readonly act?: string;
}

const WORDS: Readonly<Record<NoticeKind, Words>> = {
  'approval.needed': { subject: 'Decision needed', first: 'You are asked to decide on:', act: 'decide' },
  'approval.reminder': { subject: 'Reminder: decision needed', first: 'A decision is still needed on:', act: 'decide' },
  'approval.escalated': {
    subject: 'Escalated: decision needed',
    first: 'Nobody has decided on this yet, so you are asked as well:',
    act: 'decide',
  },
  'approval.expiring': {
    subject: 'About to expire: decision needed',
    first: 'Soon nobody can decide any more on:',
    act: 'decide',
  },
  'approval.decided': { subject: 'Decided', first: 'It was decided, or its time is over, what you have asked for:' },
  'question.open': {
    subject: 'Your answer is waited for',
    first: 'For some minutes a task of yours has waited for an answer of yours:',
    act: 'answer',
  },
  'task.expiring': { subject: 'About to expire', first: 'Soon a task of yours will be given up as it is:' },
  'task.finished': { subject: 'Ended', first: 'A task of yours has ended:' },
};

export function mailText({ kind, details }: Pick<Notice, 'kind' | 'details'>, link: string): MailText {
  const words = WORDS[kind];
  const { tool, title = tool, amount, due } = details;
  const name = singleLine(title);
  const lines = [
    words.first,
    '',
    `  ${name}`,
    ...(amount === undefined ? [] : [`  Amount: ${singleLine(amount)}`]),
    ...(due === undefined ? [] : [`  Due: ${due.slice(0, 16).replace('T', ' ')} UTC`]),
    '',
    words.act === undefined ? 'Sign in to see it:' : `Sign in to see it, and ${words.act} there:`,
    link,
    '',
    `Sent by the tool ${singleLine(tool)}. Opening the link decides nothing.`,
  ];
  return { subject: `${words.subject}: ${name}`, text: `${lines.join('\n')}\n` };
}

/** To somebody outside, who has neither a sign-in nor a name here: what it is about, and where they answer. */
export function linkMailText({ kind, details }: Pick<Notice, 'kind' | 'details'>, link: string): MailText {
  const { title = '', due } = details;
  const name = singleLine(title);
  const isReminder = kind !== 'approval.needed';
  const lines = [
    isReminder ? 'An answer of yours is still waited for:' : 'This is for you to see, and yours to answer:',
    '',
    `  ${name}`,
    ...(due === undefined ? [] : [`  Until: ${due.slice(0, 16).replace('T', ' ')} UTC`]),
    '',
    'Open this page to see it, and answer there:',
    link,
    '',
    'Opening the page decides nothing. Whoever has this link can answer, so do not pass it on.',
  ];
  return { subject: isReminder ? `Reminder: ${name}` : name, text: `${lines.join('\n')}\n` };
}
