import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { localSubject } from '../../../server/local-caller.ts';
import { openDelegationsBench, type DelegationsBench } from '../../support/delegations-bench.ts';
import type { InboxBench } from '../../support/inbox-bench.ts';
import { formOf, wordsOf } from '../../support/inbox-visitor.ts';
import { postgresKinds, startPostgres } from '../../support/postgres.ts';

const TEST_MS = 60_000;

let bench: DelegationsBench;
let inbox: InboxBench;
beforeAll(async () => {
  bench = await openDelegationsBench(await startPostgres(postgresKinds[0]!));
  ({ inbox } = bench);
}, TEST_MS);
beforeEach(() => bench.reset());

const received = (): ReturnType<typeof bench.delegations.receivedBy> =>
  bench.delegations.receivedBy({ issuer: 'local', subject: 'clerk-1' }, Date.now());

const day = (at: number): string => new Date(at).toISOString().slice(0, 10);
const today = { from: day(Date.now()), until: day(Date.now()) };

describe('the page', () => {
  it('gives, shows to both, and takes back; the audit tells it', async () => {
    const finance = await inbox.visitor('finance-1');
    const form = await finance.get('/inbox/delegations');
    const shown = await finance.submit(form, '/delegations', { to: 'clerk-1', role: 'finance', ...today });
    expect([shown.status, wordsOf(shown)]).toEqual([200, expect.stringMatching(/Clerk 1 finance .* in force/)]);
    const clerk = await inbox.visitor('clerk-1');
    const theirs = await clerk.get('/inbox/delegations');
    expect(wordsOf(theirs)).toMatch(/For whom I stand in .* Finance 1 finance/);
    expect(theirs.text).not.toContain('/revoke"');

    const [row] = await bench.audit.db.selectFrom('delegations').selectAll().execute();
    const { delegation_id: id = '' } = row ?? {};
    expect(wordsOf(await finance.submit(shown, '/revoke'))).toContain('Who stands in for me Nobody.');
    expect(wordsOf(await clerk.get('/inbox/delegations'))).toMatch(/For whom I stand in Nobody/);
    const told = await bench.audit.db
      .selectFrom('audit')
      .selectAll()
      .where('task_id', '=', `delegation:${id}`)
      .execute();
    expect(told.map(({ type, by }) => [type, by])).toEqual([
      ['delegated', 'Finance 1'],
      ['delegation_revoked', 'Finance 1'],
    ]);
    expect(told[0]?.data).toMatchObject({ to: { subject: 'clerk-1', name: 'Clerk 1' }, role: 'finance' });
  });

  it('is reached from an approval, with the role that it asks chosen', async () => {
    const { id } = await inbox.open();
    const finance = await inbox.visitor('finance-1');
    const page = await finance.get(`/inbox/approvals/${id}`);
    const [, link = ''] = /<a href="([^"]*)">Have somebody stand in for you/.exec(page.text) ?? [];
    const form = await finance.get(link);
    expect([form.status, form.text]).toEqual([200, expect.stringMatching(/<option value="finance" selected/)]);
    await finance.submit(form, '/delegations', { to: 'clerk-1', role: 'finance', ...today });
    // Who stands in cannot pass it on.
    const theirs = await (await inbox.visitor('clerk-1')).get(`/inbox/approvals/${id}`);
    expect(wordsOf(theirs)).toContain('You decide for Finance 1');
    expect(theirs.text).not.toContain('Have somebody stand in for you');
    // Who is asked by name gives all, since for a role alone nobody would stand in here.
    const named = await inbox.open({ people: ['finance-1'] });
    const [, all = ''] =
      /<a href="([^"]*)">Have somebody/.exec((await finance.get(`/inbox/approvals/${named.id}`)).text) ?? [];
    expect((await finance.get(all)).text).toMatch(/<option value="" selected[^>]*>All of my decisions/);
  });

  it('takes back nothing that somebody else has given', async () => {
    const { id } = await bench.give('finance-1', 'clerk-1');
    for (const subject of ['finance-2', 'clerk-1']) {
      const other = await inbox.visitor(subject);
      const { fields } = formOf(await other.get('/inbox/delegations'), '/delegations');
      expect((await other.post('/inbox/delegations/revoke', { csrf: fields['csrf'] ?? '', id })).status).toBe(404);
    }
    expect(await received()).toHaveLength(1);
  });

  it('gives in the name of nobody else, and nothing by GET or without the token', async () => {
    const finance = await inbox.visitor('finance-2');
    const { fields } = formOf(await finance.get('/inbox/delegations'), '/delegations');
    const wanted = { to: 'clerk-1', role: '', ...today };
    const query = new URLSearchParams({ ...fields, ...wanted }).toString();
    await finance.get(`/inbox/delegations?${query}`);
    expect((await finance.post('/inbox/delegations', { ...wanted, csrf: 'x' })).status).toBe(403);
    expect(await received()).toEqual([]);
    await finance.post('/inbox/delegations', { ...fields, ...wanted, from_subject: 'finance-1', subject: 'finance-1' });
    expect(await received()).toEqual([
      expect.objectContaining({ from: { issuer: 'local', subject: 'finance-2', name: 'Finance 2' } }),
    ]);
  });

  it('says what is wrong and keeps what was filled in', async () => {
    const finance = await inbox.visitor('finance-1');
    const form = await finance.get('/inbox/delegations');
    const answer = await finance.submit(form, '/delegations', { to: 'clerk-1', role: 'board of another', ...today });
    expect([answer.status, wordsOf(answer)]).toEqual([422, expect.stringContaining('Choose one of your roles')]);
    expect(answer.text).toMatch(/<option value="clerk-1" selected/);
    expect(await received()).toEqual([]);
  });

  it('lets nobody who is not in the list give anything', async () => {
    const stranger = await inbox.visitor(localSubject().subject);
    const page = await stranger.get('/inbox/delegations');
    expect(wordsOf(page)).toContain('Only people of the list of approvers');
    const { fields } = formOf(page, '/sign-in/end');
    const answer = await stranger.post('/inbox/delegations', { ...fields, to: 'clerk-1', role: '', ...today });
    expect(answer.status).toBe(403);
    expect(await received()).toEqual([]);
  });
});
