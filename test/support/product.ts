/** The product as real processes that share a task queue, a blob folder and a principal key: as many as a test likes. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Mode } from '../../demo/erp/erp-server.ts';
import type { Child } from './child.ts';
import { TEST_DECISION_KEY } from './decisions.ts';
import { TEST_ENCRYPTION_KEYS } from './encryption.ts';
import { startErp, type TestErp } from './erp.ts';
import { startRole, type RoleProcess } from './processes.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { temporalAddress } from './temporal.ts';

type Env = Readonly<Record<string, string>>;

export interface ProductOptions {
  readonly mode?: Mode;
  /** Default: the run's Temporal. */
  readonly address?: string;
  /** For all processes of this product. */
  readonly env?: Env;
}

export interface Product {
  readonly erp: TestErp;
  readonly env: Env;
  startFront(env?: Env): Promise<RoleProcess>;
  startWorker(env?: Env): Promise<RoleProcess>;
}

/** Fronts give out the handle at once, unless `env` gives them a sync budget. */
export async function openProduct({ mode = 'idempotency-key', address, env }: ProductOptions = {}): Promise<Product> {
  const [folder, erp] = await Promise.all([temporaryFolder(), startErp({ mode })]);
  const all: Env = {
    TEMPORAL_ADDRESS: address ?? temporalAddress(),
    TASK_QUEUE: `test-${randomUUID()}`,
    DATA_DIR: folder,
    PRINCIPAL_KEY: randomBytes(32).toString('hex'),
    ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
    DECISION_KEY: TEST_DECISION_KEY,
    ERP_URL: erp.url,
    SYNC_BUDGET_MS: '0',
    ...env,
  };
  return {
    erp,
    env: all,
    startFront: (more) => startRole('front', { ...all, ...more }),
    startWorker: (more) => startRole('worker', { ...all, ...more }),
  };
}

/** `kill -9`, and waits until it is gone. */
export async function kill9(child: Child): Promise<void> {
  child.signal('SIGKILL');
  await child.exited;
}

/** An order that the policy takes without a question. */
export function aCall(overrides: object = {}): object {
  return {
    vendor: 'Nordlicht Bürobedarf GmbH',
    currency: 'EUR',
    lines: [{ description: 'Office chair', quantity: '4', unitPrice: '189.90' }],
    costCentre: '1100',
    ...overrides,
  };
}

/** One that has to ask for its cost centre. */
export function anAskingCall(): object {
  const { costCentre: _, ...call } = aCall() as { costCentre: string };
  return call;
}

/** Under which the ERP files the order of a task. */
export function referenceOf(taskId: string): string {
  return `${taskId}:post-order`;
}

/** The orders of a task at the ERP, those that were voided apart. */
export async function ordersOf(erp: TestErp, taskId: string): Promise<{ live: number; voided: number }> {
  const { orders } = await erp.state();
  const ours = orders.filter(({ reference }) => reference === referenceOf(taskId));
  const voided = ours.filter(({ status }) => status === 'voided').length;
  return { live: ours.length - voided, voided };
}
