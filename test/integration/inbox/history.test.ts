/** What has happened to an approval, as its pages tell it: from the task and from the real audit. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createActActivities } from '../../../activities/acts.ts';
import { approvalActsOf } from '../../../store/approval-acts.ts';
import { PostgresApprovalQueue } from '../../../store/approval-queue.ts';
import { openAudit, type TestAudit } from '../../support/audit.ts';
import { eventually } from '../../support/eventually.ts';
import { openInboxBench, type InboxBench } from '../../support/inbox-bench.ts';
import { wordsOf, type InboxPage, type InboxVisitor } from '../../support/inbox-visitor.ts';
import { patiently } from '../../support/patience.js';
import { postgresKinds, startPostgres } from '../../support/postgres.ts';

const TEST_MS = patiently(60_000);
const TOLD_WITHIN_MS = 20_000;

let audit: TestAudit;
let inbox: InboxBench;
beforeAll(async () => {
  audit = await openAudit(await startPostgres(postgresKinds[0]!));
  const more = {
    audit: audit.log,
    queue: new PostgresApprovalQueue(audit.db),
    history: { ofTask: (taskId: string) => approvalActsOf(audit.db, taskId) },
  };
  inbox = await openInboxBench(more, 0, createActActivities(audit.log));
  await inbox.bench.startWorker();
}, TEST_MS);

/** The page, once the audit has told it `words`: what is about the history of it. */
async function historyOn(visitor: InboxVisitor, address: string, words: string): Promise<string> {
  return eventually(async () => {
    const page = await visitor.get(address);
    const [, history = ''] = /aria-labelledby="past">(.*?)<\/section>/s.exec(page.text) ?? [];
    const read = wordsOf({ ...page, text: history });
    return read.includes(words) && read;
  }, TOLD_WITHIN_MS);
}

/** Once the audit has brought it into the queue. */
async function pageOf(visitor: InboxVisitor, id: string): Promise<InboxPage> {
  return eventually(async () => {
    const page = await visitor.get(`/inbox/approvals/${id}`);
    return page.status === 200 && page;
  }, TOLD_WITHIN_MS);
}

const TIME = /at \d{4}-\d\d-\d\d \d\d:\d\d UTC/g;

describe('the history', () => {
  it(
    'tells who did what, when and why: asked, reminded, escalated, claimed, voted',
    async () => {
      const { id, taskId } = await inbox.open({
        quorum: 3,
        remindAfterMs: [1],
        escalations: [{ afterMs: 2, role: 'pages' }],
      });
      const address = `/inbox/approvals/${id}`;
      const [one, two, clerk] = [
        await inbox.visitor('finance-1'),
        await inbox.visitor('finance-2'),
        await inbox.visitor('clerk-1'),
      ];
      await pageOf(one, id);
      await historyOn(one, address, 'pages was asked as well');
      const claimed = await one.submit(await pageOf(one, id), '/claim');
      await one.submit(claimed, '/release');
      await one.submit(await one.get(address), '/decide', {}, { choice: 'approve' });
      const open = await historyOn(two, address, 'pages was asked as well');
      expect(open.replaceAll(TIME, 'then')).toBe(
        ' History purchasing-1 asked for a decision then Those who are asked were reminded then' +
          ' It took long: pages was asked as well then Finance 1 said that they look at it then' +
          ' Finance 1 left it to others then Finance 1 approved then ',
      );
      await clerk.submit(await pageOf(clerk, id), '/decide', { reason: 'We have\nenough.' }, { choice: 'reject' });
      const decided = await historyOn(one, address, 'It was rejected');
      expect(decided.replaceAll(TIME, 'then')).toContain(
        'Finance 1 approved then Clerk 1 rejected then We have enough. It was rejected then',
      );
      const requester = await inbox.visitor('purchasing-1');
      const own = await historyOn(requester, `/inbox/tasks/${taskId}`, 'It was rejected');
      expect(own).toMatch(/^ What others decide on it Order 4 chairs .* Clerk 1 rejected .* We have enough\./);
    },
    TEST_MS,
  );

  it(
    'tells of the rounds before it to whom they were shown, and to nobody else',
    async () => {
      const { id, found } = await inbox.open({ people: ['finance-1', 'clerk-1'], asksAgain: true, quorum: 2 });
      const asked = await inbox.visitor('finance-1');
      const change = { reason: 'Take the cheaper ones.' };
      await asked.submit(await pageOf(asked, id), '/decide', change, { choice: 'request_changes' });
      const second = await eventually(async () => {
        const read = await inbox.desk.read(found.workflowId);
        return read?.open.find((approval) => approval.id !== id)?.id ?? false;
      }, TOLD_WITHIN_MS);
      await pageOf(asked, second);
      const words = await historyOn(asked, `/inbox/approvals/${second}`, 'It went back for changes');
      expect(words).toMatch(
        /Other decisions on the same task Order 4 chairs .* Finance 1 asked for changes .* Take the cheaper ones\./,
      );
      // As if the round before had asked somebody else alone.
      await audit.db
        .updateTable('approvals')
        .set({ people: ['finance-1'] })
        .where('approval_id', '=', id)
        .execute();
      const other = await pageOf(await inbox.visitor('clerk-1'), second);
      expect(wordsOf(other)).toContain('purchasing-1 asked for a decision');
      expect(wordsOf(other)).not.toMatch(/Other decisions|cheaper/);
    },
    TEST_MS,
  );
});

it('without the audit the history is what the task knows, with the reasons', async () => {
  const bare = await openInboxBench();
  await bare.bench.startWorker();
  const { id } = await bare.open({ quorum: 2 });
  const [one, two] = [await bare.visitor('finance-1'), await bare.visitor('finance-2')];
  await one.submit(await one.get(`/inbox/approvals/${id}`), '/decide', {}, { choice: 'approve' });
  expect(wordsOf(await two.get(`/inbox/approvals/${id}`)).replaceAll(TIME, 'then')).toContain(
    'History purchasing-1 asked for a decision then Finance 1 approved then',
  );
});
