import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { IDEMPOTENCY_KEY_META, TASKS_EXTENSION } from '../../../protocol/extension.ts';
import type { McpAnswer, McpRequest } from '../../support/mcp-request.ts';
import { startTestFront, type TestFront } from '../../support/test-front.ts';

let front: TestFront;
beforeAll(async () => {
  front = await startTestFront();
});
afterAll(async () => front.front.drain());
beforeEach(() => {
  front.store.entries.clear();
});

const TASKS_ONLY = { capabilities: { extensions: { [TASKS_EXTENSION]: {} } } };

describe('an idempotency key', () => {
  const call = (args: object, more: Partial<McpRequest> = {}): Promise<McpAnswer> =>
    front.call('order', { vendor: 'V', ...args }, { ...TASKS_ONLY, ...more });

  it('leads to the same task from each of its three places', async () => {
    const answers = await Promise.all([
      call({ idempotencyKey: 'k-1' }),
      call({}, { meta: { [IDEMPOTENCY_KEY_META]: 'k-1' } }),
      call({}, { headers: { 'idempotency-key': 'k-1' } }),
      call(
        { idempotencyKey: 'k-1' },
        { meta: { [IDEMPOTENCY_KEY_META]: 'k-1' }, headers: { 'idempotency-key': '"k-1"' } },
      ),
    ]);
    const ids = new Set(answers.map(({ body }) => body.result.taskId));
    expect(ids.size).toBe(1);
    expect(front.store.entries.size).toBe(1);
  });

  it('is refused when two places differ or it is malformed', async () => {
    const refused = [
      await call({ idempotencyKey: 'k-1' }, { headers: { 'idempotency-key': 'k-2' } }),
      await call({}, { meta: { [IDEMPOTENCY_KEY_META]: 7 } }),
      await call({}, { meta: { [IDEMPOTENCY_KEY_META]: '' } }),
      await call({}, { meta: { [IDEMPOTENCY_KEY_META]: 'x'.repeat(256) } }),
      await call({}, { meta: { [IDEMPOTENCY_KEY_META]: 'a\u0000b' } }),
    ];
    expect(refused.map(({ body }) => body.error?.code)).toEqual(Array(5).fill(-32602));
    expect(front.store.entries.size).toBe(0);
  });

  it('with other arguments is a conflict that changes nothing', async () => {
    await call({ idempotencyKey: 'k-3' });
    const { body } = await call({ idempotencyKey: 'k-3', quantity: 2 });
    expect(body.error?.code).toBe(-31001);
    expect(front.store.entries.size).toBe(1);
  });

  it('is offered as an argument by tools with effects only', async () => {
    const { body } = await front.post({ method: 'tools/list' });
    const withKey = body.result.tools.filter((tool) => Object.hasOwn(tool.inputSchema.properties, 'idempotencyKey'));
    expect(withKey.map((tool) => tool.name)).toEqual(['order']);
  });
});
