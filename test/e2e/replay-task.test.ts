/** `npm run replay -- <taskId>`, as an operator asks before an upgrade: of tasks that have ended and of tasks that wait. */
import { expect, it } from '@jest/globals';
import { runCommand } from '../../scripts/run-command.js';
import { repositoryRoot } from '../support/child.ts';
import { patiently } from '../support/patience.js';
import { aCall, anAskingCall, openProduct } from '../support/product.ts';
import { createTaskClient } from '../support/task-client.ts';

const COMMAND_MS = 60_000;
const ENDS_WITHIN_MS = 30_000;

it('says of a task whether the working tree decides as its run did, and of an unknown one that there is none', async () => {
  const product = await openProduct();
  const [front] = await Promise.all([product.startFront(), product.startWorker()]);
  const client = createTaskClient(front.url);
  const [ended, waiting] = [
    await client.create('purchase_order', aCall()),
    await client.create('purchase_order', anAskingCall()),
  ];
  await client.until(ended, ['completed'], ENDS_WITHIN_MS);
  await client.until(waiting, ['input_required'], ENDS_WITHIN_MS);
  const replay = (taskId: string): Promise<{ ok: boolean; output: string }> =>
    runCommand(process.execPath, ['--import', 'tsx', 'scripts/replay.ts', taskId], {
      cwd: repositoryRoot,
      env: { PATH: process.env['PATH'], ...product.env },
      timeoutMs: patiently(COMMAND_MS),
    });
  for (const taskId of [ended, waiting]) {
    expect(await replay(taskId)).toEqual({
      ok: true,
      output: `Replayed ${taskId}: the working tree takes the same decisions.\n`,
    });
  }
  const never = 'A'.repeat(22);
  const { ok, output } = await replay(never);
  expect(output).toContain(`There is no file and no task ${never}. Usage: npm run replay`);
  expect(ok).toBe(false);
}, 240_000);
