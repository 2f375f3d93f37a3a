import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../protocol/task.ts';
import type { CallerFeatures } from '../../workflows/contract.ts';
import { resultOf, textOf } from '../support/task-client.ts';
import { openKeys, openTaskBench, type TaskBench } from '../support/task-bench.ts';
import { verifies } from '../support/verifies.ts';

let bench: TaskBench;
beforeAll(async () => {
  bench = await openTaskBench(fileURLToPath(new URL('./asking-workflows.ts', import.meta.url)), {});
  await bench.startWorker();
}, 60_000);

/** A run that was started before there were other kinds than forms. */
const FORMS_ONLY: CallerFeatures = { elicitationForm: true };
const ALL = { elicitationForm: true, elicitationUrl: true, sampling: true, roots: true };

const KINDS: readonly [string, string, JsonObject, string][] = [
  ['open_page', 'elicitation/create', { action: 'accept' }, 'accept'],
  [
    'ask_model',
    'sampling/createMessage',
    { role: 'assistant', content: { type: 'text', text: 'Bern' }, model: 'm-1' },
    'said by m-1',
  ],
  [
    'ask_roots',
    'roots/list',
    { roots: [{ uri: 'file:///a' }, { uri: 'file:///b', name: 'B' }] },
    'file:///a file:///b',
  ],
];

describe.each(KINDS)('%s', (tool, method, answer, text) => {
  it('puts its request to a caller that declared it, and goes on with the answer', async () => {
    const taskId = await bench.create(tool, {}, { features: ALL });
    const asked = await bench.until(taskId, 'input_required');
    const [key = ''] = openKeys(asked);
    expect(asked).toMatchObject({ inputRequests: { [key]: { method } } });
    await bench.store.deliver(bench.caller, taskId, { [key]: answer });
    expect(textOf(resultOf(await bench.until(taskId, 'completed')))).toBe(text);
  });

  it('asks again under a new key when the answer has another shape', async () => {
    verifies('keys.one-request', 'elicit.validate');
    const taskId = await bench.create(tool, {}, { features: ALL });
    const [first = ''] = openKeys(await bench.until(taskId, 'input_required'));
    await bench.store.deliver(bench.caller, taskId, { [first]: { action: 'maybe' } });
    const [second = ''] = openKeys(await bench.until(taskId, 'input_required'));
    expect(second).not.toBe(first);
    await bench.store.deliver(bench.caller, taskId, { [first]: answer });
    expect(openKeys(await bench.get(taskId))).toEqual([second]);
    await bench.store.deliver(bench.caller, taskId, { [second]: answer });
    expect(textOf(resultOf(await bench.until(taskId, 'completed')))).toBe(text);
  });

  it('tells a caller that did not declare it which capability is needed, and asks nothing', async () => {
    verifies('mrtr.kinds');
    const ended = await bench.until(await bench.create(tool, {}, { features: FORMS_ONLY }), 'completed');
    expect(resultOf(ended).isError).toBe(true);
    expect(textOf(resultOf(ended))).toContain('This call needs a client that declares ');
  });
});
