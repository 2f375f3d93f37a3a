/** Each process by the command that an operator starts it with, on Temporal's development server: `npm start` taken apart. */
import { expect, it } from '@jest/globals';
import { answersOk, type Child } from '../support/child.ts';
import { ownPlace } from '../support/own-place.ts';
import { aCall } from '../support/product.ts';
import { startTracked } from '../support/processes.ts';
import { createTaskClient, resultOf, textOf } from '../support/task-client.ts';

const READY_WITHIN_MS = 60_000;
const STOPS_WITHIN_MS = 10_000;
const ENDS_WITHIN_MS = 30_000;

it('npm run temporal, erp, worker and server together do an order, and each stops when it is asked to', async () => {
  const place = await ownPlace();
  const { PORT, WORKER_PORT, ERP_PORT, TEMPORAL_PORT } = place;
  const env = {
    ...place,
    TEMPORAL_ADDRESS: `127.0.0.1:${TEMPORAL_PORT}`,
    ERP_URL: `http://127.0.0.1:${ERP_PORT}`,
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
    run('erp', () => answersOk(`http://127.0.0.1:${ERP_PORT}/healthz`)),
    run('worker', () => answersOk(`http://127.0.0.1:${WORKER_PORT}/readyz`)),
    run('server', () => answersOk(`http://127.0.0.1:${PORT}/readyz`)),
  ]);

  const client = createTaskClient(`http://127.0.0.1:${PORT}`);
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
