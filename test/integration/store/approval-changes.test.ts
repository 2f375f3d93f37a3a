import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import type { Act } from '../../../protocol/act.ts';
import { PostgresApprovalChanges } from '../../../store/approval-changes.ts';
import { PostgresApprovalQueue } from '../../../store/approval-queue.ts';
import { anApproval } from '../../support/an-approval.ts';
import { openAudit, type TestAudit } from '../../support/audit.ts';
import { postgresKinds, startPostgres, type TestPostgres } from '../../support/postgres.ts';

const TEST_MS = 60_000;
const TASK = { workflowId: 'mcp-task/p/t', taskId: 't', tool: 'buy', caller: 'p' };

describe.each(postgresKinds)('what has changed of the queue on $name', (kind) => {
  let postgres: TestPostgres;
  let audit: TestAudit;
  let changes: PostgresApprovalChanges;
  let queue: PostgresApprovalQueue;

  beforeAll(async () => {
    postgres = await startPostgres(kind);
  }, TEST_MS);
  beforeEach(async () => {
    audit = await openAudit(postgres);
    changes = new PostgresApprovalChanges(audit.db);
    queue = new PostgresApprovalQueue(audit.db);
  }, TEST_MS);

  const ids = async (): Promise<readonly string[]> => (await changes.recent()).map(({ changeId }) => changeId);

  it('is told by who is asked, and of whose organisation they are', async () => {
    expect(await changes.recent()).toEqual([]);
    const requester = { subject: 's', organisation: 'one' };
    await queue.put(TASK, anApproval({ people: ['finance-2'], requester }));
    const changeId = expect.stringMatching(/^a \d/);
    expect(await changes.recent()).toEqual([
      { approvalId: 'a', roles: ['finance'], people: ['finance-2'], requester: { organisation: 'one' }, changeId },
    ]);
  });

  it('is another change for a claim, its end, a vote and a decision, and for nothing else', async () => {
    await audit.log.record({ task: TASK, acts: [act(0, 'approval_requested')], queue: [anApproval()] });
    const steps = [
      () => queue.claim('a', 'finance-1'),
      () => queue.release('a', 'finance-1'),
      () => audit.log.record({ task: TASK, acts: [act(1, 'voted')], queue: [anApproval()] }),
      () => audit.log.record({ task: TASK, acts: [act(2, 'approval_decided')], queue: [] }),
    ];
    const seen = new Set(await ids());
    for (const step of steps) {
      await step();
      for (const id of await ids()) seen.add(id);
    }
    expect(seen.size).toBe(1 + steps.length);
    await audit.log.record({ task: TASK, acts: [act(3, 'effect')], queue: [] });
    expect(new Set([...seen, ...(await ids())]).size).toBe(seen.size);
  });

  it('is forgotten after a while', async () => {
    await queue.put(TASK, anApproval());
    await sql`alter table approvals disable trigger all`.execute(audit.db);
    await sql`update approvals set changed_at = now() - interval '20 s'`.execute(audit.db);
    expect(await changes.recent()).toEqual([]);
  });
});

function act(seq: number, type: Act['type']): Act {
  return { seq, at: seq, type, about: 'a', data: { approval: 'a' } };
}
