import { describe, expect, it } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createErpActivities, type ErpActivities, type PostOutcome } from '../../../activities/erp.ts';
import type { StillCurrent } from '../../../activities/attempt.ts';
import { TOOL_FAILURE } from '../../../protocol/task-failure.ts';
import { UNKNOWN } from '../../../activities/erp-texts.ts';
import { eventually } from '../../support/eventually.ts';
import { openErp } from '../../support/erp-in-process.ts';
import { freePort } from '../../support/free-port.ts';
import { anOrder } from '../../support/order.ts';

const current = async (): Promise<StillCurrent> => () => true;

function activitiesFor(erpUrl: string, confirmAttempt = current): ErpActivities {
  return createErpActivities({ erpUrl, confirmAttempt, giveUpAfterMs: 200, firstPauseMs: 50 });
}

function runAttempt<Args, Result>(activity: (args: Args) => Promise<Result>, args: Args, attempt = 1): Promise<Result> {
  return new MockActivityEnvironment({ attempt }).run(activity, args);
}

describe('postOrder', () => {
  it.each(['idempotency-key', 'unique-reference'] as const)(
    'makes one order of a post whose replies are lost, with %s',
    async (mode) => {
      const erp = await openErp({ mode });
      await erp.arm({ at: 'orders-after-accept', kind: 'drop', times: 2 });
      const outcome = await runAttempt(activitiesFor(erp.url).postOrder, { order: anOrder(), mode });
      const { orders } = await erp.state();
      expect(orders).toHaveLength(1);
      expect(outcome).toMatchObject({ kind: 'posted', order: { number: orders[0]!.number, status: 'posted' } });
    },
  );

  it.each(['idempotency-key', 'unique-reference'] as const)(
    'finds the order of an earlier attempt that was lost, with %s',
    async (mode) => {
      const erp = await openErp({ mode });
      const { postOrder } = activitiesFor(erp.url);
      const [first, second] = await Promise.all([
        runAttempt(postOrder, { order: anOrder(), mode }, 1),
        runAttempt(postOrder, { order: anOrder(), mode }, 2),
      ]);
      expect(second).toEqual(first);
      expect((await erp.state()).orders).toHaveLength(1);
    },
  );

  it('goes on over 503 until the outcome is known, although it would have given up by then', async () => {
    const erp = await openErp({ mode: 'idempotency-key' });
    await erp.arm({ at: 'orders-before-accept', kind: 'unavailable', times: 2 });
    const outcome = await runAttempt(activitiesFor(erp.url).postOrder, { order: anOrder(), mode: 'idempotency-key' });
    expect(outcome.kind).toBe('posted');
    expect((await erp.state()).orders).toHaveLength(1);
  });

  it('says that certainly nothing was sent when the ERP is not there', async () => {
    const { postOrder } = activitiesFor(`http://127.0.0.1:${await freePort()}`);
    expect(await runAttempt(postOrder, { order: anOrder(), mode: 'idempotency-key' })).toEqual({ kind: 'unreachable' });
  });

  it('does not say so when an earlier attempt may have sent it, and adopts the order once the ERP is back', async () => {
    const port = await freePort();
    const { postOrder } = createErpActivities({
      erpUrl: `http://127.0.0.1:${port}`,
      giveUpAfterMs: 0,
      firstPauseMs: 50,
    });
    const environment = new MockActivityEnvironment({ attempt: 2 });
    const messages: string[] = [];
    environment.on('heartbeat', ({ message }: { message: string }) => messages.push(message));
    const posting: Promise<PostOutcome> = environment.run(postOrder, {
      order: anOrder(),
      mode: 'unique-reference' as const,
    });
    // Said where a first attempt gives up.
    await eventually(() => messages.includes(UNKNOWN));
    await openErp({ mode: 'unique-reference', port });
    expect((await posting).kind).toBe('posted');
  });

  it('fails for good with its own words when the ERP says no', async () => {
    const erp = await openErp({ mode: 'idempotency-key' });
    await erp.arm({ at: 'orders-before-accept', kind: 'refuse' });
    const failure = runAttempt(activitiesFor(erp.url).postOrder, { order: anOrder(), mode: 'idempotency-key' });
    await expect(failure).rejects.toMatchObject({ type: TOOL_FAILURE, nonRetryable: true });
    await expect(failure).rejects.not.toThrow(/closed|127\.0\.0\.1/);
  });

  it('adopts the order of a lost attempt although the ERP now says no', async () => {
    const erp = await openErp({ mode: 'idempotency-key' });
    const { postOrder } = activitiesFor(erp.url);
    const first = await runAttempt(postOrder, { order: anOrder(), mode: 'idempotency-key' });
    await erp.arm({ at: 'orders-before-accept', kind: 'refuse' });
    expect(await runAttempt(postOrder, { order: anOrder(), mode: 'idempotency-key' }, 2)).toEqual(first);
  });

  it('sends nothing to an ERP that was set up anew in another mode', async () => {
    const erp = await openErp({ mode: 'search-only' });
    const { postOrder } = activitiesFor(erp.url);
    expect(await runAttempt(postOrder, { order: anOrder(), mode: 'idempotency-key' })).toEqual({ kind: 'not-sent' });
    expect(await runAttempt(postOrder, { order: anOrder(), mode: 'idempotency-key' }, 2)).toEqual({ kind: 'unknown' });
    expect((await erp.state()).orders).toEqual([]);
  });
});

describe('postOrder in search-only', () => {
  it('sends once and reports an unknown outcome when the reply is lost', async () => {
    const erp = await openErp({ mode: 'search-only', searchLagMs: 300 });
    await erp.arm({ at: 'orders-after-accept', kind: 'drop' });
    const { postOrder, findOrder } = activitiesFor(erp.url);
    expect(await runAttempt(postOrder, { order: anOrder(), mode: 'search-only' })).toEqual({ kind: 'unknown' });
    const { orders } = await erp.state();
    expect(orders).toHaveLength(1);
    const { order } = await runAttempt(findOrder, { reference: anOrder().reference, forMs: 8_000 });
    expect(order?.number).toBe(orders[0]!.number);
  });

  it('takes the order that stands, not one that was voided before it', async () => {
    const erp = await openErp({ mode: 'search-only', searchLagMs: 0 });
    const filed: string[] = [];
    for (let count = 0; count < 2; count += 1) {
      const sent = await fetch(`${erp.url}/orders`, { method: 'POST', body: JSON.stringify(anOrder()) });
      filed.push(((await sent.json()) as { number: string }).number);
    }
    await fetch(`${erp.url}/orders/${filed[0]!}/void`, { method: 'POST' });
    const order = { number: filed[1], status: 'posted' };
    const outcome = await runAttempt(activitiesFor(erp.url).postOrder, { order: anOrder(), mode: 'search-only' });
    expect(outcome).toMatchObject({ kind: 'posted', order });
    expect((await erp.state()).orders).toHaveLength(2);
  });

  it('sends nothing when the attempt no longer counts', async () => {
    const erp = await openErp({ mode: 'search-only' });
    const lapsed = activitiesFor(erp.url, async () => () => false);
    const givenUp = activitiesFor(erp.url, () => Promise.reject(new Error('not found')));
    for (const { postOrder } of [lapsed, givenUp]) {
      expect(await runAttempt(postOrder, { order: anOrder(), mode: 'search-only' })).toEqual({ kind: 'unreachable' });
    }
    expect((await erp.state()).orders).toEqual([]);
  });

  it('waits for a reply under way when the worker stops', async () => {
    const erp = await openErp({ mode: 'search-only' });
    await erp.arm({ at: 'orders-after-accept', kind: 'hold' });
    const environment = new MockActivityEnvironment();
    const posting: Promise<PostOutcome> = environment.run(activitiesFor(erp.url).postOrder, {
      order: anOrder(),
      mode: 'search-only' as const,
    });
    await erp.untilHeld('orders-after-accept');
    environment.cancel('WORKER_SHUTDOWN');
    await erp.release();
    expect((await posting).kind).toBe('posted');
  });

  it('says that nothing was sent when the worker stops before', async () => {
    const erp = await openErp({ mode: 'search-only' });
    await erp.arm({ at: 'capabilities', kind: 'hold' });
    const environment = new MockActivityEnvironment();
    const posting: Promise<PostOutcome> = environment.run(activitiesFor(erp.url).postOrder, {
      order: anOrder(),
      mode: 'search-only' as const,
    });
    await erp.untilHeld('capabilities');
    environment.cancel('WORKER_SHUTDOWN');
    expect(await posting).toEqual({ kind: 'not-sent' });
  });
});

describe('findOrder', () => {
  it('answers without an order once the ERP has shown none for long enough', async () => {
    const erp = await openErp({ mode: 'search-only' });
    expect(await runAttempt(activitiesFor(erp.url).findOrder, { reference: 'none', forMs: 200 })).toEqual({});
  });
});

describe('readOrder', () => {
  it('knows only an order under the very reference', async () => {
    const erp = await openErp({ mode: 'idempotency-key' });
    const { postOrder, readOrder } = activitiesFor(erp.url);
    await runAttempt(postOrder, { order: anOrder(), mode: 'idempotency-key' });
    const [{ number } = { number: '' }] = (await erp.state()).orders;
    expect((await runAttempt(readOrder, { number, reference: anOrder().reference })).order?.number).toBe(number);
    expect(await runAttempt(readOrder, { number, reference: 'task-2:post-order' })).toEqual({});
    expect(await runAttempt(readOrder, { number: '../capabilities', reference: anOrder().reference })).toEqual({});
  });
});

describe('voidOrder', () => {
  it('fails to be retried while the ERP does not confirm, and voids once', async () => {
    const erp = await openErp({ mode: 'idempotency-key' });
    const { postOrder, voidOrder } = activitiesFor(erp.url);
    await runAttempt(postOrder, { order: anOrder(), mode: 'idempotency-key' });
    const [{ number } = { number: '' }] = (await erp.state()).orders;
    await erp.arm({ at: 'void-after-accept', kind: 'drop', times: 1 });
    await expect(runAttempt(voidOrder, { number })).rejects.toMatchObject({ nonRetryable: false });
    await runAttempt(voidOrder, { number }, 2);
    expect((await erp.state()).orders.map(({ status }) => status)).toEqual(['voided']);
  });
});

describe('readErpMode', () => {
  it('reads the mode, and has none to tell when the ERP is not there', async () => {
    const erp = await openErp({ mode: 'unique-reference' });
    const readMode = (url: string): Promise<unknown> =>
      new MockActivityEnvironment().run(activitiesFor(url).readErpMode);
    expect(await readMode(erp.url)).toEqual({ mode: 'unique-reference' });
    expect(await readMode(`http://127.0.0.1:${await freePort()}`)).toEqual({});
  });
});
