/** Who has cancelled a task, as its audit tells it: real HTTP, real Temporal, a real database. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createActActivities } from '../../../activities/acts.ts';
import { openGate } from '../../../server/auth/gate.ts';
import type { Caller } from '../../../server/caller.ts';
import { createCancelTeller } from '../../../server/approvals/told-cancels.ts';
import { createFront } from '../../../server/front.ts';
import { createLog } from '../../../server/log.ts';
import { rowsOfTask } from '../../../store/audit-rows.ts';
import { openAudit, type TestAudit } from '../../support/audit.ts';
import { askingTask } from '../../support/asking-task.ts';
import { eventually } from '../../support/eventually.ts';
import { openInboxBench, type InboxBench } from '../../support/inbox-bench.ts';
import { post } from '../../support/mcp-request.ts';
import { patiently } from '../../support/patience.js';
import { postgresKinds, startPostgres } from '../../support/postgres.ts';
import { atScopeEnd } from '../../support/scope.ts';
import { createTestServing } from '../../support/test-front.ts';
import { catalog } from './inbox-tools.ts';

const OVERALL_MS = patiently(40_000);

let inbox: InboxBench;
let audit: TestAudit;
let caller: Caller;
let url: string;
beforeAll(async () => {
  audit = await openAudit(await startPostgres(postgresKinds[0]!));
  const tellCancel = createCancelTeller(audit.log, createLog('silent'));
  inbox = await openInboxBench({ audit: audit.log }, 0, createActActivities(audit.log), { tellCancel });
  await inbox.bench.startWorker();
  caller = inbox.callerNamed('clerk-1');
  const { parts } = createTestServing({}, catalog);
  const front = createFront({ ...parts, store: inbox.bench.store, gate: openGate(caller) });
  url = await front.listen();
  atScopeEnd(() => front.drain());
}, OVERALL_MS);

function ask(): Promise<string> {
  return askingTask(inbox.bench.store, caller);
}

/** What the audit has of the cancel, once it has the end. `seq` tells what the task has told itself. */
async function cancelOf(taskId: string, count: number): Promise<readonly unknown[]> {
  const rows = await eventually(async () => {
    const all = await rowsOfTask(audit.db, taskId);
    const told = all.filter(({ type }) => type.startsWith('cancel_'));
    return all.some(({ type }) => type === 'ended') && told.length === count && told;
  });
  return rows
    .toSorted((a, b) => a.type.localeCompare(b.type))
    .map(({ type, seq, by, data }) => [type, seq === null ? 'a front' : 'the task', by, data]);
}

const REQUESTED = ['cancel_requested', 'the task', null, {}];
const sent = (by: string, reason: string) => ['cancel_sent', 'a front', by, { principal: caller.principal, reason }];

describe('a cancel in the audit', () => {
  it(
    'over MCP names who has sent it, and the method; a second one changes and tells nothing',
    async () => {
      const taskId = await ask();
      for (let time = 0; time < 2; time += 1) await post(url, { method: 'tasks/cancel', params: { taskId } });
      const told = await cancelOf(taskId, 2);
      expect(told).toEqual([REQUESTED, sent('clerk-1', 'requested by the caller through tasks/cancel')]);
    },
    OVERALL_MS,
  );

  it(
    'in the inbox names who has sent it, and the inbox',
    async () => {
      const taskId = await ask();
      const visitor = await inbox.visitor('clerk-1');
      await visitor.submit(await visitor.get(`/inbox/tasks/${taskId}`), '/cancel');
      expect(await cancelOf(taskId, 2)).toEqual([REQUESTED, sent('Clerk 1', 'requested by the caller in the inbox')]);
    },
    OVERALL_MS,
  );

  it(
    'by an operator in Temporal names nobody, whatever reason they give',
    async () => {
      const taskId = await ask();
      const { client, namespace } = inbox.bench.service;
      await client.workflowService.requestCancelWorkflowExecution({
        namespace,
        workflowExecution: { workflowId: `mcp-task/${caller.principal}/${taskId}` },
        reason: 'requested by the caller through tasks/cancel',
      });
      expect(await cancelOf(taskId, 1)).toEqual([REQUESTED]);
    },
    OVERALL_MS,
  );
});
