import { describe, expect, it } from '@jest/globals';
import type { Act, AuditedTask } from '../../../protocol/act.ts';
import { noticesOf } from '../../../protocol/notices-of.ts';
import { anApproval, OPEN_FOR_MS, OPENED_AT as AT } from '../../support/an-approval.ts';

const HOUR_MS = 3_600_000;
const task: AuditedTask = { workflowId: 'mcp-task/p/t', taskId: 't', tool: 'buy', caller: 'p' };

function act(type: Act['type'], data: Act['data'] = {}, about = 'a'): Act {
  return { seq: 0, at: AT, type, about, data };
}

const details = {
  tool: 'buy',
  title: 'Order',
  amount: '10.00 EUR',
  due: new Date(AT + OPEN_FOR_MS).toISOString(),
  approvalId: 'a',
};

describe('noticesOf', () => {
  it('tells of a decision that is needed, and once more before it expires', () => {
    expect(noticesOf(act('approval_requested', { approval: 'a' }), task, [anApproval()])).toEqual([
      { kind: 'approval.needed', details, dueAt: AT },
      { kind: 'approval.expiring', details, dueAt: AT + OPEN_FOR_MS - HOUR_MS },
    ]);
  });

  it('takes the last twentieth of a short time', () => {
    const short = anApproval({ dueAt: AT + 100_000 });
    const [, expiring] = noticesOf(act('approval_requested', { approval: 'a' }), task, [short]);
    expect(expiring?.dueAt).toBe(AT + 95_000);
  });

  it('tells only the role that is asked as well when it escalates', () => {
    const escalated = act('escalated', { approval: 'a', role: 'board' }, 'a board');
    expect(noticesOf(escalated, task, [anApproval({ roles: ['finance', 'board'] })])).toEqual([
      { kind: 'approval.escalated', details: { ...details, role: 'board' }, dueAt: AT },
    ]);
  });

  it('names no amount where there is none', () => {
    const { amount: _, ...unpriced } = anApproval();
    const [reminder] = noticesOf(act('reminded', { approval: 'a' }), task, [unpriced]);
    expect(reminder?.details).not.toHaveProperty('amount');
  });

  it('reminds', () => {
    expect(noticesOf(act('reminded', { approval: 'a' }), task, [anApproval()])).toEqual([
      { kind: 'approval.reminder', details, dueAt: AT },
    ]);
  });

  it.each(['approval_requested', 'reminded', 'escalated'] as const)(
    'says nothing of %s when the approval no longer waits',
    (type) => {
      expect(noticesOf(act(type, { approval: 'a', role: 'board' }), task, [])).toEqual([]);
    },
  );

  it('says nothing of an escalation that names no role', () => {
    expect(noticesOf(act('escalated', { approval: 'a' }), task, [anApproval()])).toEqual([]);
  });

  it('tells that it was decided, and not what; of one that was withdrawn nothing', () => {
    const decided = (result: string): Act => act('approval_decided', { approval: 'a', title: 'Order', result });
    expect(noticesOf(decided('rejected'), task, [])).toEqual([
      { kind: 'approval.decided', details: { tool: 'buy', approvalId: 'a', title: 'Order' }, dueAt: AT },
    ]);
    expect(noticesOf(decided('withdrawn'), task, [])).toEqual([]);
    expect(noticesOf(act('approval_decided', { result: 'approved' }), task, [])).toEqual([]);
    expect(noticesOf(act('approval_decided', { approval: 'a', result: 'approved' }), task, [])).toMatchObject([
      { details: { tool: 'buy', approvalId: 'a' } },
    ]);
  });

  it('tells before a task expires, in the last hour or twentieth of its time; of one that has not said when, nothing', () => {
    const created = (ttlMs: number): Act => act('created', { deadlineAt: new Date(AT + ttlMs).toISOString() }, '');
    const expiring = { kind: 'task.expiring', details: { tool: 'buy' } };
    expect(noticesOf(created(48 * HOUR_MS), task, [])).toEqual([{ ...expiring, dueAt: AT + 47 * HOUR_MS }]);
    expect(noticesOf(created(100_000), task, [])).toEqual([{ ...expiring, dueAt: AT + 95_000 }]);
    expect(noticesOf(act('created', {}, ''), task, [])).toEqual([]);
  });

  it('tells of a question when five minutes are over, without its words', () => {
    expect(noticesOf(act('asked', { message: 'Which cost centre?' }, 'key-1'), task, [])).toEqual([
      { kind: 'question.open', details: { tool: 'buy', questionKey: 'key-1' }, dueAt: AT + 300_000 },
    ]);
  });

  it('tells that the task has ended', () => {
    expect(noticesOf(act('ended', { status: 'completed' }), task, [])).toEqual([
      { kind: 'task.finished', details: { tool: 'buy' }, dueAt: AT },
    ]);
  });

  it.each(['created', 'answered', 'voted', 'cancel_requested', 'expired', 'effect', 'file_taken'] as const)(
    'tells nobody of %s',
    (type) => {
      expect(noticesOf(act(type, { approval: 'a' }), task, [anApproval()])).toEqual([]);
    },
  );
});
