/** The product on the newer versions of Node that it supports: a whole order through real processes. */
import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { answersOk } from '../support/child.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { post } from '../support/mcp-request.ts';
import { NEWER_NODE_VERSIONS, nodeBinary } from '../support/npm-packages.ts';
import { startRole, startTracked } from '../support/processes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { bundlePath, temporalAddress } from '../support/temporal.ts';

const ORDER = {
  vendor: 'Nordlicht Leuchten',
  currency: 'EUR',
  lines: [{ description: 'Desk lamp', quantity: '2', unitPrice: '49.90' }],
  costCentre: '1100',
};

describe('front and worker', () => {
  it.each(NEWER_NODE_VERSIONS)(
    'place an order on Node %s',
    async (version) => {
      const node = await nodeBinary(version);
      const folder = await temporaryFolder();
      const erp = await startRole('erp', { ERP_DATA_FILE: `${folder}/erp.jsonl` });
      const env = {
        TEMPORAL_ADDRESS: temporalAddress(),
        TASK_QUEUE: `node-${randomUUID()}`,
        DATA_DIR: folder,
        ERP_URL: erp.url,
        WORKFLOW_BUNDLE: bundlePath('product'),
        SYNC_BUDGET_MS: '0',
      };
      await startOn(node, 'worker/main.ts', 'WORKER_PORT', env);
      const front = await startOn(node, 'server/main.ts', 'PORT', env);
      const call = { method: 'tools/call', params: { name: 'purchase_order', arguments: ORDER } };
      const { taskId } = (await post(`${front}/mcp`, call)).body.result;
      const task = await eventually(async () => {
        const { result } = (await post(`${front}/mcp`, { method: 'tasks/get', params: { taskId } })).body;
        return result.status === 'completed' && result;
      }, 30_000);
      expect(task.result.structuredContent).toMatchObject({ status: 'posted', total: '99.80', currency: 'EUR' });
    },
    180_000,
  );
});

async function startOn(
  node: string,
  entry: string,
  portVariable: string,
  env: Record<string, string>,
): Promise<string> {
  const url = `http://127.0.0.1:${String(await freePort())}`;
  await startTracked({
    name: entry,
    command: node,
    args: ['--import', 'tsx', entry],
    env: { ...env, [portVariable]: new URL(url).port },
    isReady: () => answersOk(`${url}/readyz`),
    readyWithinMs: 60_000,
  });
  return url;
}
