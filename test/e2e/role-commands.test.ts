/** Each process by the command that an operator starts it with, on Temporal's development server: `npm start` taken apart. */
import { expect, it } from '@jest/globals';
import { answersOk, type Child } from '../support/child.ts';
import { freePort } from '../support/free-port.ts';
import { aCall } from '../support/product.ts';
import { startTracked } from '../support/processes.ts';
import { createTaskClient, resultOf, textOf } from '../support/task-client.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const READY_WITHIN_MS = 60_000;
const STOPS_WITHIN_MS = 10_000;
const ENDS_WITHIN_MS = 30_000;

it('npm run temporal, erp, worker and server together do an order, and each stops when it is asked to', async () => {
  const [port, workerPort, erpPort, temporalPort, uiPort] = await Promise.all(Array.from({ length: 5 }, freePort));
  const env = {
    DATA_DIR: await temporaryFolder(),
    PORT: String(port),
    WORKER_PORT: String(workerPort),
    ERP_PORT: String(erpPort),
    TEMPORAL_PORT: String(temporalPort),
    TEMPORAL_UI_PORT: String(uiPort),
    TEMPORAL_ADDRESS: `127.0.0.1:${String(temporalPort)}`,
    ERP_URL: `http://127.0.0.1:${String(erpPort)}`,
    // Other tests use these packages at this moment.
    SETUP_INSTALL: 'off',
  };
  const run = (role: string, isReady: (child: Child) => boolean | Promise<boolean>): Promise<Child> =>
    startTracked({
      name: `npm run ${role}`,
      command: 'npm',
      args: ['run', '--silent', role],
      env,
      isReady,
      readyWithinMs: READY_WITHIN_MS,
    });
  const temporal = await run('temporal', (child) => child.output().includes('Temporal listens on'));
  const [erp, worker, server] = await Promise.all([
    run('erp', () => answersOk(`http://127.0.0.1:${String(erpPort)}/healthz`)),
    run('worker', () => answersOk(`http://127.0.0.1:${String(workerPort)}/readyz`)),
    run('server', () => answersOk(`http://127.0.0.1:${String(port)}/readyz`)),
  ]);

  const client = createTaskClient(`http://127.0.0.1:${String(port)}`);
  const answer = await client.call('purchase_order', aCall());
  const result =
    'taskId' in answer ? resultOf(await client.until(answer.taskId, ['completed'], ENDS_WITHIN_MS)) : answer.result;
  expect(textOf(result)).toMatch(/PO-\d+/);

  for (const child of [server, worker, erp, temporal]) {
    const { code, signal } = await child.end(STOPS_WITHIN_MS);
    expect({ name: child.name, killed: signal === 'SIGKILL', output: code === 0 ? '' : child.output() }).toEqual({
      name: child.name,
      killed: false,
      output: '',
    });
  }
}, 180_000);
