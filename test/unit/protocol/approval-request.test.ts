import { describe, expect, it } from '@jest/globals';
import type { Vote } from '../../../protocol/approval.ts';
import {
  approvalContent,
  marksOf,
  outcomeOfApproval,
  type ApprovalRequest,
} from '../../../protocol/approval-request.ts';

const request: ApprovalRequest = {
  role: 'finance',
  title: 'Order',
  details: { Total: '1 EUR' },
  reason: 'Policy.',
  withinMs: 100,
};

describe('what a tool asks for', () => {
  it('is one approval by anybody with the role, unless it says more', () => {
    expect(approvalContent(request, 'ada')).toEqual({
      title: 'Order',
      details: { Total: '1 EUR' },
      reason: 'Policy.',
      quorum: 1,
      rejectOptions: [],
      canRequestChanges: false,
      documents: [],
      requestedBy: 'ada',
    });
    const rejectOptions = [{ value: 'price', title: 'Price' }];
    const more = { amount: '1 EUR', quorum: 2, rejectOptions, canRequestChanges: true, documents: ['task://t/a.pdf'] };
    expect(approvalContent({ ...request, ...more }, 'ada')).toMatchObject(more);
    const { role: _, ...roleless } = request;
    expect(approvalContent({ ...roleless, people: ['chief'] }, 'ada').quorum).toBe(1);
  });

  const { role: _role, ...nobody } = request;
  it.each<[RegExp, ApprovalRequest]>([
    [/neither a role nor people/, nobody],
    [/neither a role nor people/, { ...nobody, people: [] }],
    [/title of at most 200/, { ...request, title: '' }],
    [/title of at most 200/, { ...request, title: 'x'.repeat(201) }],
    [/quorum from 1 to 50/, { ...request, quorum: 0 }],
    [/quorum from 1 to 50/, { ...request, quorum: 51 }],
    [/quorum from 1 to 50/, { ...request, quorum: 1.5 }],
    [/no time/, { ...request, withinMs: 0 }],
    [/no time/, { ...request, withinMs: Number.NaN }],
    [/more than 16384 characters/, { ...request, details: { Lines: 'x'.repeat(17_000) } }],
  ])('%s is an error of its author', (problem, wrong) => {
    expect(() => approvalContent(wrong, 'ada')).toThrow(problem);
  });

  it('reminds after half and nine tenths of the time, unless it says when', () => {
    const open = { openedAt: 1_000, dueAt: 1_100 };
    expect(marksOf(request, open)).toEqual([
      { at: 1_050, kind: 'remind' },
      { at: 1_090, kind: 'remind' },
      { at: 1_100, kind: 'due' },
    ]);
    const asked = { ...request, remindAfterMs: [30, 100, 300], escalations: [{ afterMs: 20, role: 'board' }] };
    expect(marksOf(asked, open)).toEqual([
      { at: 1_020, kind: 'escalate', role: 'board' },
      { at: 1_030, kind: 'remind' },
      { at: 1_100, kind: 'due' },
    ]);
  });
});

describe('what the tool gets back', () => {
  const vote = (more: Partial<Vote>): Vote => ({
    person: { principals: ['p'], subject: 's', name: 'n' },
    choice: 'approve',
    at: 1,
    ...more,
  });

  it('tells why it was refused', () => {
    const no = vote({ choice: 'reject', option: 'price', reason: 'Too much.' });
    expect(outcomeOfApproval({ id: 'a', votes: [vote({}), no] }, 'rejected')).toEqual({
      id: 'a',
      result: 'rejected',
      votes: [vote({}), no],
      option: 'price',
      reason: 'Too much.',
    });
    const change = vote({ choice: 'request_changes', reason: 'Fewer.' });
    expect(outcomeOfApproval({ id: 'a', votes: [change] }, 'changes_requested').reason).toBe('Fewer.');
  });

  it.each(['approved', 'expired', 'withdrawn'] as const)('%s with the votes so far', (result) => {
    const votes = [vote({ reason: 'Fine.' })];
    expect(outcomeOfApproval({ id: 'a', votes }, result)).toEqual({ id: 'a', result, votes });
  });

  it('is rejected by nobody when its time is over: the words of who has approved are no reason', () => {
    const votes = [vote({ reason: 'Fine.' })];
    expect(outcomeOfApproval({ id: 'a', votes }, 'rejected')).toEqual({ id: 'a', result: 'rejected', votes });
  });

  it('may be empty', () => {
    expect(outcomeOfApproval({ id: 'a', votes: [] }, 'expired')).toEqual({ id: 'a', result: 'expired', votes: [] });
  });
});
