/** What the ERP's answer to a post means, by its status: a "no", nothing done, or nobody knows. */
import { describe, expect, it } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import type { StillCurrent } from '../../../activities/attempt.ts';
import { createErpActivities, type ErpActivities, type ErpMode, type PostOutcome } from '../../../activities/erp.ts';
import type { Fault } from '../../../demo/erp/faults.ts';
import { TOOL_FAILURE } from '../../../protocol/task-failure.ts';
import { openErp, type OpenErp } from '../../support/erp-in-process.ts';
import { anOrder } from '../../support/order.ts';

const MODES = ['idempotency-key', 'unique-reference', 'search-only'] as const;
const BEFORE = 'orders-before-accept';

function activitiesFor({ url }: OpenErp, giveUpAfterMs = 2_000): ErpActivities {
  const confirmAttempt = async (): Promise<StillCurrent> => () => true;
  return createErpActivities({ erpUrl: url, confirmAttempt, giveUpAfterMs, firstPauseMs: 20 });
}

function post(erp: OpenErp, mode: ErpMode, attempt = 1): Promise<PostOutcome> {
  return new MockActivityEnvironment({ attempt }).run(activitiesFor(erp).postOrder, { order: anOrder(), mode });
}

const answerOnce = (status: number): Fault => ({ at: BEFORE, kind: 'answer', status, times: 1 });

/** What came of a post of an order of its own that was answered with `status` once, and how many orders there are then. */
async function outcomeOf(erp: OpenErp, mode: ErpMode, status: number): Promise<[number, unknown, number]> {
  const order = { ...anOrder(), reference: `task-${String(status)}:post-order` };
  await erp.arm(answerOnce(status));
  const posting: Promise<PostOutcome> = new MockActivityEnvironment().run(activitiesFor(erp).postOrder, {
    order,
    mode,
  });
  const outcome = await posting.then(
    ({ kind }) => kind,
    (error: unknown) => (error instanceof ApplicationFailure ? error.type : error),
  );
  const { countByReference } = await erp.state();
  return [status, outcome, countByReference[order.reference] ?? 0];
}

describe('an answer to a post', () => {
  it.each(MODES)('that speaks of the order is a refusal, with %s', async (mode) => {
    const erp = await openErp({ mode });
    for (const status of [400, 402, 413, 422]) {
      expect(await outcomeOf(erp, mode, status)).toEqual([status, TOOL_FAILURE, 0]);
    }
  });

  it.each(MODES)(
    'that speaks of credentials, place or moment is no refusal: it is posted again, with %s',
    async (mode) => {
      const erp = await openErp({ mode });
      for (const status of [401, 403, 404, 405, 407, 410, 415, 421, 425, 426, 429, 431]) {
        expect(await outcomeOf(erp, mode, status)).toEqual([status, 'posted', 1]);
      }
    },
  );

  it('that stays so is nothing ordered, and no refusal', async () => {
    const erp = await openErp({ mode: 'search-only' });
    await erp.arm({ at: BEFORE, kind: 'answer', status: 403 });
    const { postOrder } = activitiesFor(erp, 200);
    const posting = new MockActivityEnvironment().run(postOrder, { order: anOrder(), mode: 'search-only' as const });
    expect(await posting).toEqual({ kind: 'unreachable' });
  });

  const unclear = [204, 302, 408, 409, 423, 499, 500, 502, 503, 504];
  it('that leaves it open is never followed by a second post where that would order twice', async () => {
    const erp = await openErp({ mode: 'search-only' });
    for (const status of unclear) expect(await outcomeOf(erp, 'search-only', status)).toEqual([status, 'unknown', 0]);
  });

  it('that leaves it open is followed by the same post where the ERP tells it from a new one', async () => {
    const erp = await openErp({ mode: 'idempotency-key' });
    for (const status of unclear)
      expect(await outcomeOf(erp, 'idempotency-key', status)).toEqual([status, 'posted', 1]);
  });
});

describe('a refusal after a post of unknown outcome', () => {
  it('is not believed where the search does not show yet what the first post ordered', async () => {
    const erp = await openErp({ mode: 'search-only' });
    await erp.arm({ at: 'orders-after-accept', kind: 'drop', times: 1 });
    expect(await post(erp, 'search-only')).toEqual({ kind: 'unknown' });
    await erp.arm({ at: BEFORE, kind: 'refuse', times: 1 });
    expect(await post(erp, 'search-only', 2)).toEqual({ kind: 'unknown' });
    expect((await erp.state()).orders).toHaveLength(1);
  });

  it.each(MODES)('is not believed while the first post may still be under way, with %s', async (mode) => {
    const erp = await openErp({ mode });
    await erp.arm({ at: BEFORE, kind: 'hold', times: 1 });
    const first = post(erp, mode);
    await erp.untilHeld(BEFORE);
    await erp.arm({ at: BEFORE, kind: 'refuse', times: 1 });
    expect(await post(erp, mode, 2)).toEqual({ kind: 'unknown' });
    await erp.release(BEFORE);
    expect(await first).toMatchObject({ kind: 'posted' });
  });
});
