import { describe, expect, it } from '@jest/globals';
import { shownText, waitingText, type Approval } from '../../../protocol/approval.ts';
import { approvalContent, type ApprovalRequest } from '../../../protocol/approval-request.ts';
import { decisionText, refusalOf, type Decision } from '../../../protocol/decision.ts';
import { toDetailedTask } from '../../../protocol/detailed-task.ts';
import { holderOf } from '../../../protocol/link-holder.ts';
import { noticesOf } from '../../../protocol/notices-of.ts';
import { next, seedState, type TaskState } from '../../../protocol/task-state.ts';
import { anApproval, OPENED_AT } from '../../support/an-approval.ts';

const link = { name: 'the candidate', mail: 'robin@example.com' };
const wayOut = { ...link, isStanding: true } as const;
const { amount: _, ...free } = anApproval();
const offer: Approval = { ...free, roles: [], link, words: { approve: 'Accept' } };
const decision: Decision = {
  taskId: 't',
  approvalId: 'a',
  digest: 'd',
  person: holderOf('a', link),
  roles: [],
  choice: 'approve',
  updateId: 'u',
  decidedAt: OPENED_AT,
  byLink: true,
};
const { byLink: _byLink, ...noLink } = decision;
const when = { requester: 'ada', at: OPENED_AT };
const request: ApprovalRequest = { link, title: 'Offer', details: {}, reason: 'Yours.', withinMs: 100 };

describe('an approval by a link', () => {
  it('is decided by whoever holds it', () => {
    expect(refusalOf(offer, decision, when)).toBeUndefined();
  });

  it.each<[string, Approval, Decision]>([
    ['a role, though it be named', { ...offer, roles: ['finance'] }, { ...noLink, roles: ['finance'] }],
    ['a name, though it be that of the holder', { ...offer, people: ['link a'] }, noLink],
    ['a delegate', offer, { ...noLink, onBehalfOf: { ...holderOf('a', link), roles: [] } }],
  ])('is not decided by %s', (_who, approval, other) => {
    expect(refusalOf(approval, other, when)).toEqual({ code: 'not_asked' });
  });

  it('gives its holder no other approval', () => {
    expect(refusalOf(anApproval(), { ...decision, roles: ['finance'] }, when)).toEqual({ code: 'not_asked' });
  });

  it('takes a no without a reason, unless it is a way out, which offers one answer', () => {
    const no = { ...decision, choice: 'reject' } as const;
    expect(refusalOf(offer, no, when)).toBeUndefined();
    expect(refusalOf(offer, { ...no, option: 'price' }, when)).toEqual({ code: 'not_offered' });
    expect(refusalOf({ ...offer, link: wayOut }, no, when)).toEqual({ code: 'not_offered' });
    expect(refusalOf({ ...offer, link: wayOut }, decision, when)).toBeUndefined();
  });

  it('names whom a task waits for, and of a way out nothing, because nobody waits for it', () => {
    expect(waitingText(offer)).toMatch(/^Waiting for the candidate, by a link, due 2026-/);
    const seed = { taskId: 't', createdAt: OPENED_AT, ttlMs: 9e9, pollIntervalMs: 1_000 };
    const at = OPENED_AT;
    const working = next(seedState(seed), { type: 'reported', message: 'Screening', at });
    const withOpen = (approval: Approval): TaskState => next(working, { type: 'approvalOpen', approval, at });
    expect(toDetailedTask(withOpen(offer))).toMatchObject({ statusMessage: waitingText(offer), pollIntervalMs: 5_000 });
    expect(toDetailedTask(withOpen({ ...offer, link: wayOut }))).toMatchObject({
      statusMessage: 'Screening',
      pollIntervalMs: 1_000,
    });
  });

  it('is told to its holder: an offer until when, and before it expires; a way out once', () => {
    const act = { seq: 0, at: OPENED_AT, type: 'approval_requested', about: 'a', data: { approval: 'a' } } as const;
    const task = { workflowId: 'w', taskId: 't', tool: 'hire', caller: 'p' };
    const [needed, expiring] = noticesOf(act, task, [offer]);
    expect(needed?.details).toMatchObject({ byLink: true, due: new Date(offer.dueAt).toISOString() });
    expect(expiring?.kind).toBe('approval.expiring');
    expect(noticesOf(act, task, [{ ...offer, link: wayOut }])).toEqual([
      {
        kind: 'approval.needed',
        dueAt: OPENED_AT,
        details: { tool: 'hire', title: 'Order', approvalId: 'a', byLink: true },
      },
    ]);
  });
});

describe('who has to say why', () => {
  const panel = anApproval({ needsReason: true });
  const yes = { ...noLink, person: { principals: ['p'], subject: 's', name: 'S' }, roles: ['finance'] };

  it('is who approves as well, where the approval says so', () => {
    expect(refusalOf(panel, yes, when)).toEqual({ code: 'not_offered' });
    expect(refusalOf(panel, { ...yes, reason: ' ' }, when)).toEqual({ code: 'not_offered' });
    expect(refusalOf(panel, { ...yes, reason: 'Good.' }, when)).toBeUndefined();
    expect(refusalOf(anApproval(), yes, when)).toBeUndefined();
  });
});

describe('what is signed', () => {
  it('is another text with another link, other words, or a reason that is needed', () => {
    const variants: Approval[] = [
      free,
      offer,
      { ...free, words: { approve: 'Yes' } },
      { ...free, words: { reject: 'Yes' } },
      { ...free, needsReason: true },
      { ...free, link },
      { ...free, link: wayOut },
      { ...free, link: { ...link, mail: 'other@example.com' } },
      { ...free, link: { ...link, name: 'the other' } },
    ];
    expect(new Set(variants.map((each) => shownText('t', 'hire', each))).size).toBe(variants.length);
    expect(decisionText(decision)).not.toBe(decisionText(noLink));
  });
});

describe('a request for it', () => {
  it('keeps link, words and whether a reason is needed', () => {
    const words = { approve: 'Accept' };
    expect(approvalContent({ ...request, words, needsReason: true }, 'ada')).toMatchObject({
      link,
      words,
      needsReason: true,
    });
  });

  it.each<[RegExp, Partial<ApprovalRequest>]>([
    [/names a role or people/, { role: 'hr' }],
    [/names a role or people/, { people: ['ada'] }],
    [/who is one/, { quorum: 2 }],
  ])('%s is an error of its author', (problem, more) => {
    expect(() => approvalContent({ ...request, ...more }, 'ada')).toThrow(problem);
  });
});
