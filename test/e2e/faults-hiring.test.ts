/** Worker and front are killed between every two steps of a hiring: no vote lost, each letter known as one, one answer. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { rowsOf } from '../support/database-rows.ts';
import { eventually } from '../support/eventually.ts';
import { aHiring, LETTER_POSITION } from '../support/hiring.ts';
import { approve, fromQueue } from '../support/inbox-decisions.ts';
import { InboxVisitor, wordsOf } from '../support/inbox-visitor.ts';
import { openPair, throughKill } from '../support/killed-pair.ts';
import { startMailCatcher, unfolded, type CaughtMail, type MailCatcher } from '../support/mail-catcher.ts';
import { postgresKinds, startPostgres } from '../support/postgres.ts';
import { openProduct, type Product } from '../support/product.ts';
import { createTaskClient, questionsOf, resultOf } from '../support/task-client.ts';
import { toldActs } from '../support/told-acts.ts';

const TEST_MS = 240_000;
const STEP_MS = 60_000;
/** Nobody is reminded meanwhile. */
const LONG_SECONDS = 86_400;
const [YES, NO] = [{ choice: 'approve' }, { choice: 'reject' }];

let databaseUrl: string;
let product: Product;
let mails: MailCatcher;

beforeAll(async () => {
  const [postgres, catcher] = await Promise.all([startPostgres(postgresKinds[0]!), startMailCatcher()]);
  mails = catcher;
  databaseUrl = await postgres.emptyDatabase();
  product = await openProduct({
    env: { DATABASE_URL: databaseUrl, SMTP_URL: mails.url.href, MAIL_FROM: 'tasks@example.com' },
  });
}, TEST_MS);

/** Subject and Message-ID. */
function nameOf({ headers }: CaughtMail): string {
  return headers.filter((line) => /^(Subject|Message-ID): /i.test(line)).join(', ');
}

/** The mail server has the next mail, and its sender does not know. */
async function untilLetterHeld(): Promise<void> {
  await eventually(() => mails.heldCount() === 1, STEP_MS);
}

/**
 * The path of the link in the letter about `subject`, once a front has sent that one again, and as the same: a front that is
 * killed before it could note that it has sent it may do so more than once.
 */
async function linkSentAgain(subject: string): Promise<string> {
  const sent = await eventually(() => {
    const found = mails.caught.filter((mail) => nameOf(mail).startsWith(`Subject: ${subject}`));
    return found.length > 1 && found;
  }, STEP_MS);
  expect(new Set(sent.map(nameOf)).size).toBe(1);
  // It is noted as sent: no later kill has it sent once more.
  const waiting = "select notice_id from notices where channel = 'mail' and done_at is null and due_at <= now()";
  await eventually(async () => (await rowsOf(databaseUrl, waiting)).length === 0, STEP_MS);
  return new URL(/http:\/\/\S+\/links\/[\w-]+/.exec(unfolded(sent[0]!.body))![0]).pathname;
}

describe('a hiring whose worker and front are killed between every two steps', () => {
  it(
    'keeps each vote, sends each letter as one, and takes one answer of the candidate',
    async () => {
      const pair = await openPair(product);
      const client = createTaskClient(pair.origin);
      const visitor = async (subject: string): Promise<InboxVisitor> => {
        const signedIn = new InboxVisitor(pair.origin);
        await signedIn.signInAs(subject);
        return signedIn;
      };
      const args = aHiring({
        letter: 'I want to build what others rely on.',
        position: LETTER_POSITION,
        letterWithinSeconds: LONG_SECONDS,
        rounds: [{ role: 'engineering', quorum: 2, withinSeconds: LONG_SECONDS }],
        offerValidSeconds: LONG_SECONDS,
      });
      const call = (): Promise<string> => client.create('hire_candidate', args, { idempotencyKey: 'robin' });
      mails.troubles.push('hold');
      const taskId = await throughKill(pair.replace, call, STEP_MS);

      const asked = questionsOf(await client.until(taskId, ['input_required'], STEP_MS));
      const [key = ''] = Object.keys(asked);
      await untilLetterHeld();
      await pair.replace();
      mails.release();
      expect(questionsOf(await client.get(taskId))).toEqual(asked);
      const wayOut = await linkSentAgain('Application: ');
      const score = { action: 'accept', content: { score: 8, why: 'Says what for.' } };
      await throughKill(pair.replace, () => client.answer(taskId, { [key]: score }), STEP_MS);

      const [ina, ivo, hanna] = [
        await visitor('engineering-1'),
        await visitor('engineering-2'),
        await visitor('hr-1'),
      ] as const;
      const interview = 'Interview 1: Backend engineer';
      const inas = await fromQueue(ina, interview, STEP_MS);
      const half = await throughKill(pair.replace, () => approve(ina, inas, 'Knows the trade.'), STEP_MS);
      expect(half).toContain('1 of 2. It waits for others.');
      expect(await approve(ivo, await fromQueue(ivo, interview, STEP_MS), 'So I think.')).toContain(
        'Approved by Engineering 1 and Engineering 2 at',
      );

      const hannas = await fromQueue(hanna, 'Offer: Backend engineer', STEP_MS);
      mails.troubles.push('hold');
      expect(await throughKill(pair.replace, () => approve(hanna, hannas), STEP_MS)).toContain('Approved by HR 1 at');
      await untilLetterHeld();
      await pair.replace();
      mails.release();
      const offer = await linkSentAgain('Offer: ');

      const candidate = new InboxVisitor(pair.origin);
      const opened = await candidate.get(offer);
      const accept = async (): Promise<string | false> => {
        const words = wordsOf(await candidate.submit(opened, offer, { reason: 'Gladly.' }, YES));
        return words.includes('Accept the offer. That stands') && words;
      };
      const said = await throughKill(pair.replace, accept, STEP_MS);
      const result = resultOf(await client.until(taskId, ['completed'], STEP_MS));
      expect(result.structuredContent).toMatchObject({
        outcome: 'accepted',
        sheet: { points: '8.00', isPassed: true },
        rounds: [
          {
            result: 'hire',
            votes: [
              { by: 'Engineering 1', said: 'hire', reason: 'Knows the trade.' },
              { by: 'Engineering 2', said: 'hire', reason: 'So I think.' },
            ],
          },
        ],
        offer: { approvedBy: ['HR 1'] },
        answer: { said: 'accepted', reason: 'Gladly.' },
      });
      await pair.replaceFront();
      expect(resultOf(await client.get(taskId))).toEqual(result);
      // Whoever comes late reads what stands, over both links.
      expect(wordsOf(await candidate.submit(opened, offer, {}, NO))).toBe(said);
      expect(wordsOf(await candidate.get(wayOut))).toContain('no longer open since');
      expect(new Set(mails.caught.map(nameOf)).size).toBe(2);
      expect(await toldActs(databaseUrl, taskId)).toEqual([
        'created',
        'approval_requested',
        'asked',
        'answered',
        'approval_requested',
        'voted',
        'voted',
        'approval_decided',
        'approval_requested',
        'voted',
        'approval_decided',
        'approval_requested',
        'voted',
        'approval_decided',
        'approval_decided',
        'ended',
      ]);
    },
    TEST_MS,
  );
});
