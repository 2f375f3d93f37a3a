import type { DecidedApproval } from '../../protocol/approval.ts';

/** Without its end, the time. */
export function decidedSentence(result: DecidedApproval['result'], by: readonly string[]): string {
  const who = by.join(' and ');
  switch (result) {
    case 'approved':
      return `Approved by ${who} at`;
    case 'rejected':
      return who === '' ? 'Nobody decided in time: it counts as rejected since' : `Rejected by ${who} at`;
    case 'changes_requested':
      return `${who} asked for changes at`;
    case 'expired':
      return 'Nobody decided in time: it expired at';
    case 'withdrawn':
      return 'It was withdrawn at';
  }
}
