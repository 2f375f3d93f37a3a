import { describe, expect, it } from '@jest/globals';
import { digestOf } from '../../../../encryption/decision-signing.ts';
import { shownText, type DecidedApproval } from '../../../../protocol/approval.ts';
import type { ApprovalCase } from '../../../../server/approvals/approval-desk.ts';
import { lookByLink } from '../../../../server/inbox/link-look.ts';
import { anApproval } from '../../../support/an-approval.ts';

const DUE_AT = 1_000_000;
const OFFER = anApproval({ id: 'offer', dueAt: DUE_AT, link: { name: 'the candidate', mail: 'robin@example.com' } });
const TASK: ApprovalCase = {
  workflowId: 'mcp-task/p/t',
  taskId: 't',
  tool: 'hire',
  requester: 'p',
  open: [OFFER],
  decided: [],
  isOver: false,
  deadlineAt: 2 * DUE_AT,
};
const LINK = {
  workflowId: TASK.workflowId,
  taskId: 't',
  approvalId: 'offer',
  digest: digestOf(shownText('t', 'hire', OFFER)),
  words: {},
};

function look(task: Partial<ApprovalCase> = {}, now = DUE_AT - 1, link = LINK): ReturnType<typeof lookByLink> {
  return lookByLink({ read: async () => ({ ...TASK, ...task }) }, link, now);
}

function decided(result: DecidedApproval['result']): Partial<ApprovalCase> {
  return { open: [], decided: [{ id: 'offer', title: 'Offer', result, by: [], at: 1 }] };
}

describe('what is behind a link', () => {
  it('is open until it is due, and then no longer, also before a worker has come by to close it', async () => {
    expect(await look()).toEqual({ kind: 'open', approval: OFFER });
    expect(await look({}, DUE_AT)).toEqual({ kind: 'expired' });
  });

  it('is what stands, once it was answered or withdrawn', async () => {
    expect(await look(decided('approved'))).toMatchObject({ kind: 'decided', decided: { result: 'approved' } });
    expect(await look(decided('withdrawn'))).toMatchObject({ kind: 'decided', decided: { result: 'withdrawn' } });
    expect(await look(decided('expired'))).toEqual({ kind: 'expired' });
  });

  it('is over with a task that has ended without it', async () => {
    expect(await look({ open: [], isOver: true })).toEqual({ kind: 'over' });
  });

  it('is nothing where the task never asked it, is another one, or shows something else', async () => {
    expect(await look({ open: [] })).toBeUndefined();
    expect(await look({ taskId: 'u' })).toBeUndefined();
    expect(await look({ open: [{ ...OFFER, title: 'Offer: Director' }] })).toBeUndefined();
    expect(await lookByLink({ read: async () => undefined }, LINK, 0)).toBeUndefined();
  });
});
