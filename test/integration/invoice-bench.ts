/** `reconcile_invoices` on a bench of its own, with a real ERP and real files; invoices are uploaded as JSON, or as they are. */
import { fileURLToPath } from 'node:url';
import type { InvoiceActivities } from '../../activities/invoices/reconcile.ts';
import { createInvoiceActivities } from '../../activities/invoices/reconcile.ts';
import type { InvoiceSources } from '../../activities/invoices/uploaded-invoices.ts';
import type { ReadInvoice, ReadInvoices } from '../../activities/invoices/invoice.ts';
import type { Mode } from '../../demo/erp/erp-server.ts';
import type { Act, ActBatch } from '../../protocol/act.ts';
import type { DetailedTask, JsonObject } from '../../protocol/task.ts';
import type { NewTask } from '../../server/task-store.ts';
import { FolderBlobStore } from '../../store/folder-blobs.ts';
import { Uploads } from '../../store/uploads.ts';
import { eventually } from '../support/eventually.ts';
import { startErp, type TestErp } from '../support/erp.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openTaskBench, type TaskBench } from '../support/task-bench.ts';
import { LONG_LIVED, PATIENCE_MS } from './order-bench.ts';

export interface InvoiceBench extends TaskBench {
  /** The ERP that the activities go to from now on. */
  erpIn(mode: Mode): Promise<TestErp>;
  goTo(erpUrl: string): void;
  upload(invoices: readonly ReadInvoice[]): Promise<string>;
  /** For a bench that reads files as they are. */
  uploadFile(name: string, bytes: Uint8Array): Promise<string>;
  reconcile(invoices: readonly ReadInvoice[], more?: Partial<NewTask>): Promise<string>;
  cancel(taskId: string): Promise<void>;
  /** What the audit is told of a task. */
  actsOf(taskId: string, type: Act['type']): readonly Act[];
  /** A file of the task, as text. */
  textOf(taskId: string, name: string): Promise<string>;
}

/** `readInvoices`: how files are read. Default: as the JSON of invoices. */
export async function openInvoiceBench(readInvoices: InvoiceSources['readInvoices'] = readJson): Promise<InvoiceBench> {
  let erpUrl = '';
  const folder = await temporaryFolder();
  const uploads = new Uploads(new FolderBlobStore(folder), 3_600_000);
  const sources = { uploads, readInvoices };
  // Blobs of the bench are there once it is open; the activities run later.
  const now = (): InvoiceActivities =>
    createInvoiceActivities({
      blobs: bench.blobs,
      sources,
      erpUrl,
      policyFile: 'policy/invoice-policy.json',
      giveUpAfterMs: 2_000,
      lookForMs: 5_000,
    });
  const late = (name: keyof InvoiceActivities): object => ({
    [name]: (args: never) => (now()[name] as (given: never) => Promise<unknown>)(args),
  });
  const names = [
    'matchInvoiceFiles',
    'matchAgain',
    'prepareInvoiceApproval',
    'postInvoices',
    'voidInvoices',
    'writeInvoiceReport',
  ] as const;
  const told: ActBatch[] = [];
  const recordActs = async (batch: ActBatch): Promise<void> => void told.push(batch);
  const activities = Object.assign({ recordActs }, ...names.map(late)) as object;
  const bench = await openTaskBench(fileURLToPath(new URL('../../workflows/index.ts', import.meta.url)), activities);
  await bench.startWorker();

  async function upload(invoices: readonly ReadInvoice[]): Promise<string> {
    return uploadFile('invoices.csv', Buffer.from(JSON.stringify(invoices)));
  }

  async function uploadFile(name: string, bytes: Uint8Array): Promise<string> {
    return (await uploads.put(bench.caller.principal, { name, mimeType: 'text/csv', bytes })).fileId;
  }

  return {
    ...bench,
    upload,
    uploadFile,
    async erpIn(mode) {
      const erp = await startErp({ mode });
      erpUrl = erp.url;
      return erp;
    },
    goTo(url) {
      erpUrl = url;
    },
    async reconcile(invoices, more = {}) {
      const files = [await upload(invoices)];
      return bench.create('reconcile_invoices', { files } satisfies JsonObject, { ...LONG_LIVED, ...more });
    },
    cancel: (taskId) => bench.store.cancel(bench.caller, taskId, 'asked by the test'),
    async textOf(taskId, name) {
      const found = await bench.blobs.read({ caller: bench.caller.principal, taskId }, name);
      return Buffer.from(found?.bytes ?? []).toString();
    },
    actsOf: (taskId, type) =>
      told
        .filter(({ task }) => task.taskId === taskId)
        .flatMap(({ acts }) => acts)
        .filter((act) => act.type === type),
    until: (taskId, ...statuses) =>
      eventually(async () => {
        const task: DetailedTask = await bench.get(taskId);
        if (!statuses.includes(task.status)) throw new Error(`It is ${task.status}: ${task.statusMessage ?? ''}`);
        return task;
      }, PATIENCE_MS),
  };
}

async function readJson(bytes: Uint8Array): Promise<ReadInvoices> {
  return { invoices: JSON.parse(Buffer.from(bytes).toString()) as ReadInvoice[], faults: [] };
}
