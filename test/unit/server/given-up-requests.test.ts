/** `notifications/cancelled` of MCP 2025-11-25 over HTTP, while the stream of the request stays open. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createSessionIds } from '../../../server/session-ids.ts';
import { IDEMPOTENCY_KEY_META } from '../../../protocol/extension.ts';
import { NO_FEATURES } from '../../../protocol/input-feature.ts';
import { askingCatalog } from '../../support/asking-catalog.ts';
import { eventually } from '../../support/eventually.ts';
import { onlyTask, WORK } from '../../support/held-question.ts';
import type { McpAnswer } from '../../support/mcp-request.ts';
import { CALLER, startTestFront, type TestFront } from '../../support/test-front.ts';
import { olderMessage } from '../../support/older-request.ts';

let front: TestFront;
beforeAll(async () => {
  front = await startTestFront({ fallbackBudgetMs: 10_000 }, askingCatalog);
});
afterAll(async () => front.front.drain());
beforeEach(() => front.store.entries.clear());

const aSession = (): string =>
  createSessionIds([Buffer.alloc(32, 7)]).seal(CALLER, { protocolVersion: '2025-11-25', features: NO_FEATURES });

/** As an older client writes it. */
function send(message: object, sessionId?: string): Promise<McpAnswer> {
  return front.post(olderMessage(message, sessionId));
}
async function giveUp(requestId: unknown, sessionId?: string): Promise<void> {
  const { status } = await send({ method: 'notifications/cancelled', params: { requestId } }, sessionId);
  expect(status).toBe(202);
}
/** Resolves once it is held: with its answer, which is still to come. */
async function hold(id: unknown, sessionId?: string, params: object = WORK): Promise<{ answer: Promise<McpAnswer> }> {
  const count = front.store.entries.size;
  const answer = send({ id, method: 'tools/call', params }, sessionId);
  await eventually(() => front.store.entries.size > count);
  return { answer };
}
const reasons = (): unknown[] => [...front.store.entries.values()].map(({ cancelReason }) => cancelReason);

describe('a held call that its client gives up', () => {
  it.each([7, '7', 0, ''])('under the id %j is cancelled, and its stream ends without an answer', async (id) => {
    const session = aSession();
    const { answer } = await hold(id, session);
    await giveUp(id, session);
    expect((await answer).text).toBe('');
    await eventually(() => reasons()[0] === 'the caller gave the call up');
  });

  it('goes on where a key finds its task again', async () => {
    const session = aSession();
    const _meta = { [IDEMPOTENCY_KEY_META]: 'k-1' };
    const { answer } = await hold(1, session, { ...WORK, _meta });
    expect(front.store.entries.get(onlyTask(front))?.call.idempotencyKey).toBe('k-1');
    await giveUp(1, session);
    expect((await answer).text).toBe('');
    expect(reasons()).toEqual([undefined]);
  });

  it('goes on, whatever is said of other requests, in other sessions and without one', async () => {
    const session = aSession();
    const { answer } = await hold(1, session);
    const others = [
      [1, aSession()],
      [1, undefined],
      ['1', session],
      [2, session],
      [undefined, session],
      [{ toString: 1 }, session],
    ] as const;
    for (const [id, sessionId] of others) await giveUp(id, sessionId);
    front.store.finishWithText(onlyTask(front), 'done');
    expect((await answer).text).toContain('done');
    expect(reasons()).toEqual([undefined]);
  });

  it('without a session goes on: its id may be that of another client', async () => {
    const { answer } = await hold(1);
    await giveUp(1);
    await giveUp(1, aSession());
    front.store.finishWithText(onlyTask(front), 'done');
    expect((await answer).text).toContain('done');
  });

  it('is told from one that was answered under the same id', async () => {
    const session = aSession();
    front.store.onCreated = (taskId) => front.store.finishWithText(taskId, 'first');
    expect((await send({ id: 1, method: 'tools/call', params: WORK }, session)).text).toContain('first');
    front.store.onCreated = () => undefined;
    const { answer } = await hold(1, session);
    await giveUp(1, session);
    expect((await answer).text).toBe('');
    await eventually(() => reasons()[1] !== undefined);
  });
});

describe('a wait that its client gives up', () => {
  it('ends, and its task goes on', async () => {
    const session = aSession();
    await send({ id: 1, method: 'tools/call', params: { ...WORK, task: {} } }, session);
    const taskId = onlyTask(front);
    const answer = send({ id: 2, method: 'tasks/result', params: { taskId } }, session);
    await eventually(() => front.store.watcherCount === 1);
    await giveUp(2, session);
    expect((await answer).text).not.toContain('result');
    await eventually(() => front.store.watcherCount === 0);
    expect(reasons()).toEqual([undefined]);
  });
});
