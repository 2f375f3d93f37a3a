import { describe, expect, it } from '@jest/globals';
import {
  decidedOf,
  decisiveVotes,
  isAsked,
  resultOf,
  shownText,
  voteText,
  waitingText,
  type Approval,
  type ApprovalResult,
  type Person,
  type Vote,
} from '../../../protocol/approval.ts';
import { decisionText, refusalOf, voteOf, type Decision } from '../../../protocol/decision.ts';
import { decidedSentence } from '../../../server/approvals/decided-sentence.ts';

const DUE_AT = Date.parse('2026-12-03T17:00:00Z');

function person(name: string): Person {
  return { principals: [`${name} newest`, `${name} former`], subject: name, name: name.toUpperCase() };
}

const approval: Approval = {
  id: 'a1',
  title: 'Order 4 chairs',
  details: { Vendor: 'Nordlicht', Total: '759.60 EUR' },
  reason: 'Above the limit.',
  quorum: 2,
  rejectOptions: [],
  canRequestChanges: false,
  documents: [],
  requestedBy: 'ada',
  roles: ['finance'],
  people: ['chief'],
  openedAt: DUE_AT - 1_000,
  dueAt: DUE_AT,
  votes: [],
};
const decision: Decision = {
  taskId: 't1',
  approvalId: 'a1',
  digest: 'd',
  person: person('one'),
  roles: ['finance'],
  choice: 'approve',
  updateId: 'u1',
  decidedAt: DUE_AT - 500,
};
const when = { requester: 'ada newest', at: DUE_AT - 1 };

function vote(name: string, more: Partial<Vote> = {}): Vote {
  return { person: person(name), choice: 'approve', at: DUE_AT - 700, ...more };
}

describe('whether a decision counts', () => {
  it.each<[string, Partial<Decision>]>([
    ['by role', {}],
    ['by name', { person: person('chief'), roles: [] }],
    [
      'for somebody who is asked',
      { person: person('aide'), roles: [], onBehalfOf: { ...person('b'), roles: ['finance'] } },
    ],
    ['for somebody who is named', { person: person('aide'), roles: [], onBehalfOf: { ...person('chief'), roles: [] } }],
    ['as a no with a reason', { choice: 'reject', reason: 'Too much.' }],
  ])('%s', (_name, more) => {
    expect(refusalOf(approval, { ...decision, ...more }, when)).toBeUndefined();
  });

  it.each<[string, Partial<Decision>]>([
    ['own', { person: person('ada') }],
    ['own', { onBehalfOf: { ...person('ada'), roles: ['finance'] } }],
    ['not_asked', { roles: ['board'] }],
    // Another organisation may have people of the same roles and names.
    ['not_asked', { person: { ...person('one'), organisation: 'other' } }],
    ['not_asked', { person: { ...person('chief'), organisation: 'other' } }],
    // A delegate's own role does not count for the person they stand in for.
    ['not_asked', { onBehalfOf: { ...person('b'), roles: [] } }],
    ['not_offered', { choice: 'reject' }],
    ['not_offered', { choice: 'reject', reason: ' ' }],
    ['not_offered', { choice: 'reject', reason: 'x'.repeat(1_001) }],
    ['not_offered', { choice: 'reject', reason: 'No.', option: 'other' }],
    ['not_offered', { choice: 'approve', option: 'other' }],
    ['not_offered', { choice: 'request_changes', reason: 'Fewer.' }],
    ['not_offered', { choice: 'perhaps' as 'approve', reason: 'Hm.' }],
  ])('%s: not %j', (code, more) => {
    expect(refusalOf(approval, { ...decision, ...more }, when)).toEqual({ code });
  });

  it('knows the requester under either principal key', () => {
    const own = { ...decision, person: person('ada') };
    expect(refusalOf(approval, own, { ...when, requester: 'ada former' })).toEqual({ code: 'own' });
  });

  it('knows the requester behind another credential of the same subject, and those of the same organisation', () => {
    const theirs = { ...approval, requester: { subject: 'ada', organisation: 'acme' } };
    const by = (name: string, organisation?: string): Decision => ({
      ...decision,
      person: { ...person(name), principals: ['another'], ...(organisation === undefined ? {} : { organisation }) },
    });
    expect(refusalOf(theirs, by('ada', 'acme'), when)).toEqual({ code: 'own' });
    expect(refusalOf(theirs, by('one', 'acme'), when)).toBeUndefined();
    expect(refusalOf(theirs, by('one'), when)).toEqual({ code: 'not_asked' });
  });

  it('not from the due time on', () => {
    expect(refusalOf(approval, decision, { ...when, at: DUE_AT })).toEqual({ code: 'expired' });
  });

  it('with changes and named refusals where they are offered', () => {
    const wider = { ...approval, canRequestChanges: true, rejectOptions: [{ value: 'price', title: 'Price' }] };
    const say = (more: Partial<Decision>): unknown => refusalOf(wider, { ...decision, ...more }, when);
    expect(say({ choice: 'request_changes', reason: 'Fewer.' })).toBeUndefined();
    expect(say({ choice: 'request_changes', reason: 'Fewer.', option: 'price' })).toEqual({ code: 'not_offered' });
    expect(say({ choice: 'request_changes' })).toEqual({ code: 'not_offered' });
    expect(say({ choice: 'reject', reason: 'No.', option: 'price' })).toBeUndefined();
    expect(say({ choice: 'reject', reason: 'No.' })).toEqual({ code: 'not_offered' });
  });

  it.each<[string, Vote]>([
    ['who has voted', vote('one')],
    ['whose delegate has voted', vote('aide', { onBehalfOf: person('one') })],
    ['who has voted for somebody', vote('one', { onBehalfOf: person('b') })],
  ])('once only for a person %s', (_name, before) => {
    expect(refusalOf({ ...approval, votes: [before] }, decision, when)).toEqual({ code: 'voted', at: before.at });
  });

  it('asks everybody who holds a role or is named', () => {
    expect(isAsked(approval, person('x'), ['it', 'finance'])).toBe(true);
    expect(isAsked(approval, person('chief'), [])).toBe(true);
    expect(isAsked(approval, person('x'), ['it'])).toBe(false);
  });
});

describe('what comes of the votes', () => {
  it.each<[string | undefined, readonly Vote[]]>([
    [undefined, []],
    [undefined, [vote('one')]],
    ['approved', [vote('one'), vote('two')]],
    ['rejected', [vote('one', { choice: 'reject' })]],
    ['changes_requested', [vote('one'), vote('two', { choice: 'request_changes' })]],
  ])('%s', (result, votes) => {
    expect(resultOf({ votes, quorum: 2 })).toBe(result);
  });

  it('names those whose votes made it so', () => {
    const votes = [vote('one'), vote('aide', { choice: 'reject', onBehalfOf: person('b') })];
    const decided = { id: 'a1', title: 'Order 4 chairs', at: 5 };
    expect(decidedOf({ ...approval, votes }, 'rejected', 5)).toEqual({
      ...decided,
      result: 'rejected',
      by: ['AIDE for B'],
    });
    expect(decidedOf({ ...approval, votes: votes.slice(0, 1) }, 'approved', 5).by).toEqual(['ONE']);
    expect(decidedOf({ ...approval, votes }, 'expired', 5).by).toEqual([]);
    expect(decidedOf({ ...approval, votes }, 'withdrawn', 5).by).toEqual([]);
  });

  it('says that nobody has rejected what counts as rejected because its time is over', () => {
    const { by } = decidedOf({ ...approval, votes: [vote('one')] }, 'rejected', 5);
    expect(by).toEqual([]);
    expect(decidedSentence('rejected', by)).toBe('Nobody decided in time: it counts as rejected since');
  });

  it('is made so by the votes of that choice alone', () => {
    const votes = [vote('one'), vote('two', { choice: 'request_changes' }), vote('three', { choice: 'reject' })];
    const made = (result: ApprovalResult) => decisiveVotes(votes, result).map(({ person: { name } }) => name);
    expect(made('approved')).toEqual(['ONE']);
    expect(made('changes_requested')).toEqual(['TWO']);
    expect(made('rejected')).toEqual(['THREE']);
    expect([...made('expired'), ...made('withdrawn')]).toEqual([]);
  });

  it('keeps of a decision what it says', () => {
    const onBehalfOf = { ...person('b'), roles: ['finance'] };
    const said = { ...decision, onBehalfOf, choice: 'reject' as const, option: 'price', reason: ' Too much. ' };
    expect(voteOf(said, 7)).toEqual({
      person: person('one'),
      onBehalfOf: person('b'),
      choice: 'reject',
      option: 'price',
      reason: 'Too much.',
      at: 7,
    });
    const padded = { ...person('one'), organisation: 'acme', more: 'unsigned' };
    expect(voteOf({ ...decision, person: padded }, 7).person).toEqual({ ...person('one'), organisation: 'acme' });
    // Out of a payload that no front wrote.
    expect(voteOf({ ...decision, reason: null as unknown as string }, 7)).not.toHaveProperty('reason');
    expect(voteOf({ ...decision, reason: '  ' }, 7)).toEqual({ person: person('one'), choice: 'approve', at: 7 });
  });
});

describe('in words', () => {
  it('who is waited for, until when, and how far it is', () => {
    expect(waitingText(approval)).toBe('Waiting for finance, due 2026-12-03 17:00 UTC, 0 of 2');
    expect(waitingText({ ...approval, quorum: 1, roles: [], people: ['a', 'b'] })).toBe(
      'Waiting for 2 named people, due 2026-12-03 17:00 UTC',
    );
  });

  it.each<[Vote['choice'], string]>([
    ['approve', 'ONE approved at 2026-12-03T16:59:59.300Z'],
    ['reject', 'ONE rejected at 2026-12-03T16:59:59.300Z'],
    ['request_changes', 'ONE asked for changes at 2026-12-03T16:59:59.300Z'],
  ])('%s', (choice, text) => {
    expect(voteText(vote('one', { choice }))).toBe(text);
  });
});

describe('what is signed', () => {
  it('is another text when any part of what is shown is another', () => {
    const base = shownText('t1', 'tool', approval);
    const changes: Partial<Approval>[] = [
      { id: 'a2' },
      { title: 'Order 5 chairs' },
      { amount: '1 EUR' },
      { details: { Vendor: 'Nordlicht', Total: '759.61 EUR' } },
      { details: { Total: '759.60 EUR', Vendor: 'Nordlicht' } },
      { reason: 'Another.' },
      { quorum: 1 },
      { rejectOptions: [{ value: 'price', title: 'Price' }] },
      { canRequestChanges: true },
      { documents: ['task://t1/a.pdf'] },
      { requestedBy: 'bob' },
    ];
    const texts = changes.map((change) => shownText('t1', 'tool', { ...approval, ...change }));
    expect(new Set([base, ...texts, shownText('t2', 'tool', approval), shownText('t1', 'other', approval)]).size).toBe(
      14,
    );
  });

  it('is another text when any part of the decision is another', () => {
    const onBehalfOf = { ...person('b'), roles: ['finance'] };
    const changes: Partial<Decision>[] = [
      { taskId: 't2' },
      { approvalId: 'a2' },
      { digest: 'e' },
      { person: person('two') },
      { person: { ...person('one'), organisation: 'acme' } },
      { roles: [] },
      { onBehalfOf },
      { onBehalfOf: { ...onBehalfOf, roles: [] } },
      { choice: 'reject' },
      { option: 'price' },
      { reason: 'No.' },
      { updateId: 'u2' },
      { decidedAt: 1 },
    ];
    const texts = changes.map((change) => decisionText({ ...decision, ...change }));
    expect(new Set([decisionText(decision), ...texts]).size).toBe(changes.length + 1);
  });
});
