/** `purchase_order` on a bench of its own, and a demo ERP for each test: the activities go to the ERP of the test that runs. */
import { fileURLToPath } from 'node:url';
import { createErpActivities } from '../../activities/erp.ts';
import type { Activities } from '../../activities/index.ts';
import { readPolicy } from '../../activities/policy-file.ts';
import { createGoodsActivities } from '../../activities/goods.ts';
import { createOrderMailActivities } from '../../activities/order-mail.ts';
import { evaluatePolicy } from '../../activities/purchase-policy.ts';
import type { ActBatch } from '../../protocol/act.ts';
import type { Mode } from '../../demo/erp/erp-server.ts';
import type { DetailedTask, JsonObject } from '../../protocol/task.ts';
import type { NewTask } from '../../server/task-store.ts';
import { eventually } from '../support/eventually.ts';
import { startErp, type TestErp } from '../support/erp.ts';
import { openTaskBench, type TaskBench } from '../support/task-bench.ts';

/** The post, the search for it and a retry take their time. */
export const PATIENCE_MS = 50_000;

export interface OrderBench extends TaskBench {
  /** The ERP that the activities go to from now on. */
  erpIn(mode: Mode): Promise<TestErp>;
  goTo(erpUrl: string): void;
  /** The effects of a task, as the audit is told of them: words, and the outside's name for them. */
  effectsOf(taskId: string): readonly (readonly [string, string | undefined])[];
  /** The mail server that orders go by from now on. */
  /** `giveUpAfterMs`: default 60,000. */
  mailBy(smtpUrl: URL | undefined, giveUpAfterMs?: number): void;
  /** An order of four office chairs, but for the `overrides`. */
  order(overrides?: JsonObject, more?: Partial<NewTask>): Promise<string>;
  cancel(taskId: string): Promise<void>;
}

export async function openOrderBench(): Promise<OrderBench> {
  let erpUrl = '';
  let smtpUrl: URL | undefined;
  let mailGivesUpAfterMs: number;
  const told: ActBatch[] = [];
  const mailNow = (): ReturnType<typeof createOrderMailActivities> => {
    const mail = smtpUrl === undefined ? undefined : { smtpUrl, from: 'purchasing@buyer.example' };
    return createOrderMailActivities({ mail, blobs: bench.blobs, giveUpAfterMs: mailGivesUpAfterMs });
  };
  const goodsNow = (): ReturnType<typeof createGoodsActivities> => createGoodsActivities({ erpUrl });
  const erpNow = (): ReturnType<typeof createErpActivities> => createErpActivities({ erpUrl, giveUpAfterMs: 2_000 });
  const bench = await openTaskBench(fileURLToPath(new URL('../../workflows/index.ts', import.meta.url)), {
    checkPolicy: async ({ facts, today }: Parameters<Activities['checkPolicy']>[0]) =>
      evaluatePolicy(await readPolicy('policy/purchase-policy.json'), facts, today, smtpUrl !== undefined),
    recordActs: async (batch: ActBatch) => {
      told.push(batch);
    },
    readErpMode: () => erpNow().readErpMode(),
    postOrder: (args: Parameters<Activities['postOrder']>[0]) => erpNow().postOrder(args),
    findOrder: (args: Parameters<Activities['findOrder']>[0]) => erpNow().findOrder(args),
    readOrder: (args: Parameters<Activities['readOrder']>[0]) => erpNow().readOrder(args),
    voidOrder: (args: Parameters<Activities['voidOrder']>[0]) => erpNow().voidOrder(args),
    mailOrder: (args: Parameters<Activities['mailOrder']>[0]) => mailNow().mailOrder(args),
    mailCancellation: (args: Parameters<Activities['mailCancellation']>[0]) => mailNow().mailCancellation(args),
    lookForGoods: (args: Parameters<Activities['lookForGoods']>[0]) => goodsNow().lookForGoods(args),
    readReceipts: (args: Parameters<Activities['readReceipts']>[0]) => goodsNow().readReceipts(args),
  });
  await bench.startWorker();
  return {
    ...bench,
    async erpIn(mode) {
      const erp = await startErp({ mode });
      erpUrl = erp.url;
      return erp;
    },
    goTo(url) {
      erpUrl = url;
    },
    effectsOf: (taskId) =>
      told
        .filter(({ task }) => task.taskId === taskId)
        .flatMap(({ acts }) => acts)
        .filter(({ type }) => type === 'effect')
        .map(({ about, data }) => [about, data['reference'] as string | undefined] as const),
    mailBy(url, giveUpAfterMs = 60_000) {
      mailGivesUpAfterMs = giveUpAfterMs;
      smtpUrl = url;
    },
    order: (overrides = {}, more = {}) =>
      bench.create('purchase_order', orderOf(overrides), { ...LONG_LIVED, ...more }),
    cancel: (taskId) => bench.store.cancel(bench.caller, taskId, 'asked by the test'),
    until: (taskId, ...statuses) =>
      eventually(async () => {
        const task = await bench.get(taskId);
        if (!statuses.includes(task.status)) throw new Error(`It is ${task.status}: ${task.statusMessage ?? ''}`);
        return task;
      }, PATIENCE_MS),
  };
}

export const LONG_LIVED = { ttlMs: 600_000, maxTtlMs: 600_000 };

export function orderOf(overrides: JsonObject = {}): JsonObject {
  const lines = [{ description: 'Office chair', quantity: '4', unitPrice: '189.90' }];
  return { vendor: 'Nordlicht Bürobedarf GmbH', currency: 'EUR', costCentre: '1100', lines, ...overrides };
}

/** The first text of a result. @throws when the task is not completed */
export function textOf(task: DetailedTask): string {
  if (task.status !== 'completed') throw new Error(`It is ${task.status}.`);
  const [block] = task.result.content;
  return block?.type === 'text' ? block.text : '';
}

export async function statusesIn(erp: TestErp): Promise<string[]> {
  return (await erp.state()).orders.map(({ status }) => status);
}
