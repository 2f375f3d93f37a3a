import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import type { Act } from '../../../protocol/act.ts';
import { PostgresApprovalQueue } from '../../../store/approval-queue.ts';
import { act, approval, batch, START } from '../../support/audit-acts.ts';
import { openAudit, type TestAudit } from '../../support/audit.ts';
import { postgresKinds, startPostgres, type TestPostgres } from '../../support/postgres.ts';

const TEST_MS = 120_000;

describe.each(postgresKinds)('the queue of approvals on $name', (kind) => {
  let postgres: TestPostgres;
  let audit: TestAudit;

  beforeAll(async () => {
    postgres = await startPostgres(kind);
  }, TEST_MS);
  beforeEach(async () => {
    audit = await openAudit(postgres);
  }, TEST_MS);

  const asked = { subjects: ['nobody'], roles: ['finance'] };
  const ids = async (page: { limit: number; after?: string } = { limit: 10 }): Promise<readonly string[]> =>
    (await new PostgresApprovalQueue(audit.db).list(asked, page)).map(({ approvalId }) => approvalId);
  const requested = (seq: number, id: string): Act =>
    act(seq, { type: 'approval_requested', about: id, data: { approval: id } });
  const decided = (seq: number, id: string): Act =>
    act(seq, { type: 'approval_decided', about: id, data: { approval: id } });

  it('follows the acts, and an act that comes again changes nothing', async () => {
    await audit.log.record(batch('t', [requested(0, 'x')], [approval('x')]));
    expect(await ids()).toEqual(['x']);
    const escalated = act(1, { type: 'escalated', about: 'x board', data: { approval: 'x', role: 'board' } });
    await audit.log.record(batch('t', [escalated], [approval('x', { roles: ['board'] })]));
    expect(await ids()).toEqual([]);
    await audit.log.record(batch('t', [decided(2, 'x')]));
    await audit.log.record(batch('t', [requested(0, 'x'), escalated], [approval('x')]));
    expect(await ids()).toEqual([]);
    // Whoever has its link still learns what became of it.
    expect(await new PostgresApprovalQueue(audit.db).find('x')).toMatchObject({ approvalId: 'x' });
  });

  it('lists what is asked of a role or by name, the most urgent first, page by page', async () => {
    const queue = new PostgresApprovalQueue(audit.db);
    const place = { workflowId: 'w', tool: 'buy' };
    await queue.put(place, approval('late', { dueAt: START + 9_000 }));
    await queue.put(place, approval('soon'));
    await queue.put(place, approval('other', { roles: ['it'] }));
    await queue.put(place, approval('named', { roles: [], people: ['nobody'], dueAt: START + 5_000, amount: '1 EUR' }));
    expect(await ids()).toEqual(['soon', 'named', 'late']);
    expect(await ids({ limit: 1, after: 'soon' })).toEqual(['named']);
    await queue.remove('named');
    expect(await ids({ limit: 1, after: 'soon' })).toEqual(['named']);
    await queue.close('named');
    expect(await ids({ limit: 1, after: 'named' })).toEqual(['late']);
    await queue.forget(new Date(Date.now() + 1_000));
    expect(await queue.places()).toHaveLength(3);
  });

  it('lets one person claim', async () => {
    const queue = new PostgresApprovalQueue(audit.db);
    await queue.put({ workflowId: 'w', tool: 'buy' }, approval('x'));
    const claims = await Promise.all(['a', 'b', 'c'].map((subject) => queue.claim('x', subject)));
    expect(claims.filter(Boolean)).toHaveLength(1);
    const holder = (await queue.find('x'))?.claimedBy ?? '';
    await queue.release('x', 'nobody');
    expect(await queue.claim('x', holder)).toBe(true);
    await queue.put({ workflowId: 'w', tool: 'buy' }, approval('x'));
    expect((await queue.find('x'))?.claimedBy).toBe(holder);
    await queue.release('x', holder);
    expect(await queue.claim('x', 'd')).toBe(true);
    expect(await queue.claim('unknown', 'd')).toBe(false);
  });

  it('finds a page among 2,000', async () => {
    await sql`
      insert into approvals select 'id' || n, 'w', 'buy', 'Order', null, 'somebody',
        array[case when n % 2 = 0 then 'finance' else 'it' end], '{}', now(), now() + n * interval '1 minute'
      from generate_series(1, 2000) n`.execute(audit.db);
    await ids({ limit: 25 });
    const startedAt = performance.now();
    expect(await ids({ limit: 25, after: 'id1000' })).toHaveLength(25);
    process.stdout.write(`a page of 2,000: ${(performance.now() - startedAt).toFixed(1)} ms\n`);
  });
});
