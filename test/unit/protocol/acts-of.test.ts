import { describe, expect, it } from '@jest/globals';
import type { NewAct } from '../../../protocol/act.ts';
import { actsOf } from '../../../protocol/acts-of.ts';
import { decidedOf, shownText, type Approval, type Person } from '../../../protocol/approval.ts';
import { next, seedState, type TaskEvent, type TaskState } from '../../../protocol/task-state.ts';
import type { InputRequest } from '../../../protocol/task.ts';

const TOLD = { tool: 'buy', requestedBy: 'Requester' };
const SEED = seedState({ taskId: 'T', createdAt: 0, ttlMs: 60_000, pollIntervalMs: 1_000 });
const REQUEST: InputRequest = { method: 'elicitation/create', params: { message: 'Which one?' } };
const APPROVAL: Approval = {
  id: 'A',
  title: 'Order 4 chairs',
  amount: '759.60 EUR',
  details: { Vendor: 'Nordlicht' },
  reason: 'Policy',
  quorum: 2,
  rejectOptions: [],
  canRequestChanges: true,
  documents: [],
  requestedBy: 'Requester',
  roles: ['finance'],
  people: ['cfo'],
  openedAt: 0,
  dueAt: 1_000,
  votes: [],
};

const person = (name: string): Person => ({ principals: [name], subject: `${name}-1`, name });

/** All that `events` tell, one after the other. */
function told(...events: readonly TaskEvent[]): readonly NewAct[] {
  let state: TaskState = SEED;
  return events.flatMap((event) => {
    const before = state;
    state = next(before, event);
    return actsOf(before, state, event, TOLD);
  });
}

const types = (...events: readonly TaskEvent[]): readonly string[] => told(...events).map(({ type }) => type);
const asked = { type: 'asked', at: 1, requests: { k: REQUEST, other: REQUEST } } as const;
const opened = { type: 'approvalOpen', at: 1, approval: APPROVAL } as const;

describe('actsOf', () => {
  it('tells each question, and which were answered', () => {
    expect(told(asked, { type: 'answered', at: 2, receivedAt: 2, keys: ['k', 'unknown'] })).toEqual([
      { type: 'asked', about: 'k', data: { key: 'k', message: 'Which one?' } },
      { type: 'asked', about: 'other', data: { key: 'other', message: 'Which one?' } },
      { type: 'answered', about: 'k', by: 'Requester', data: { keys: ['k'] } },
    ]);
  });

  it('tells what was shown to those who were asked, as it is signed', () => {
    const [act] = told(opened);
    expect(act).toMatchObject({ type: 'approval_requested', about: 'A', by: 'Requester' });
    expect(act?.data).toEqual({
      approval: 'A',
      title: 'Order 4 chairs',
      amount: '759.60 EUR',
      roles: ['finance'],
      people: 1,
      dueAt: '1970-01-01T00:00:01.000Z',
      shown: shownText('T', 'buy', APPROVAL),
    });
    const { amount: _, ...without } = APPROVAL;
    expect(told({ ...opened, approval: without })[0]?.data).not.toHaveProperty('amount');
  });

  it('tells each vote with the digest of what was shown, and both names when somebody stood in', () => {
    const vote = { person: person('one'), choice: 'approve', at: 2 } as const;
    const voted = { ...opened, approval: { ...APPROVAL, votes: [vote] }, digest: 'd' };
    const rejection = { person: person('two'), choice: 'reject', option: 'no', reason: 'Too many', at: 3 } as const;
    const standIn = { ...rejection, onBehalfOf: person('cfo') };
    const second = { ...opened, approval: { ...APPROVAL, votes: [vote, standIn] } };
    expect(told(opened, voted, second).slice(1)).toEqual([
      {
        type: 'voted',
        about: 'A one-1',
        by: 'one',
        data: { approval: 'A', subject: 'one-1', choice: 'approve', digest: 'd' },
      },
      {
        type: 'voted',
        about: 'A two-1',
        by: 'two',
        data: {
          approval: 'A',
          subject: 'two-1',
          onBehalfOf: { name: 'cfo', subject: 'cfo-1' },
          choice: 'reject',
          option: 'no',
          reason: 'Too many',
        },
      },
    ]);
  });

  it('tells who is asked as well when it takes long', () => {
    const wider = { ...opened, approval: { ...APPROVAL, roles: ['finance', 'board'] } };
    expect(told(opened, wider).at(-1)).toEqual({
      type: 'escalated',
      about: 'A board',
      data: { approval: 'A', role: 'board' },
    });
  });

  it('tells what was decided', () => {
    const decided = decidedOf(APPROVAL, 'expired', 3);
    expect(told(opened, { type: 'approvalDecided', at: 3, decided }).at(-1)).toEqual({
      type: 'approval_decided',
      about: 'A',
      data: { approval: 'A', title: 'Order 4 chairs', result: 'expired', by: [] },
    });
  });

  it('tells of an approval that its end is withdrawn, also when it is no longer known', () => {
    const before = { ...SEED, approvals: [APPROVAL] };
    const { approvals: _, ...after } = before;
    const event = { type: 'approvalDecided', at: 1, decided: decidedOf(APPROVAL, 'approved', 1) } as const;
    expect(actsOf(before, after, event, TOLD)[0]?.data).toMatchObject({ result: 'withdrawn', by: [] });
  });

  it('tells the cancel and the expiry before what they withdraw, and the end last', () => {
    const settling = { type: 'settling', at: 5, status: 'cancelled', digest: 'd' } as const;
    expect(types(opened, { type: 'cancelRequested', at: 4 }, settling)).toEqual([
      'approval_requested',
      'cancel_requested',
      'approval_decided',
      'ended',
    ]);
    expect(types(opened, { type: 'deadlinePassed', at: 4 })).toEqual([
      'approval_requested',
      'expired',
      'approval_decided',
    ]);
    expect(told(opened, settling).slice(1)).toMatchObject([
      { type: 'approval_decided', data: { result: 'withdrawn' } },
      { type: 'ended', about: 'cancelled', data: { status: 'cancelled', digest: 'd' } },
    ]);
  });

  it('tells nothing of reports, of time, and of questions that nobody needs answered any more', () => {
    expect(
      types(
        asked,
        { type: 'withdrawn', at: 2, keys: ['k'] },
        { type: 'reported', at: 2, message: 'On it' },
        { type: 'extended', at: 2, byMs: 1, maxTtlMs: 100_000 },
        { type: 'ended', at: 3, outcome: { status: 'cancelled' }, resultRetentionMs: 1 },
      ),
    ).toEqual(['asked', 'asked']);
  });
});
