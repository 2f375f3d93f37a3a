/**
 * Runs that were started by an earlier version go on after a deployment only if today's code takes the same decisions.
 * Red here means: old tasks would hang. Guard the change with `patched()`, or record again and say so in the changelog.
 */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { bundleWorkflowCode, DefaultLogger, Worker } from '@temporalio/worker';
import { Registry } from 'prom-client';
import { createTaskSinks } from '../../worker/task-metrics.ts';
import { FAILURE_CONVERTER_PATH, WORKFLOWS_PATH } from '../../worker/workflow-source.ts';
import { catalog } from '../../workflows/tools/index.ts';
import { installTestRuntime } from '../support/temporal.ts';
import { readRecorded } from './recorded.ts';
import { SCENARIOS } from './scenarios.ts';

const recorded = readRecorded();
let code = '';

beforeAll(async () => {
  installTestRuntime();
  ({ code } = await bundleWorkflowCode({
    workflowsPath: WORKFLOWS_PATH,
    failureConverterPath: FAILURE_CONVERTER_PATH,
    logger: new DefaultLogger('ERROR'),
  }));
}, 180_000);

/** The base64 of payloads opened, so that nothing hides in them. */
function opened(json: string): string {
  const payloads = [...json.matchAll(/"data": "([^"]*)"/g)].map(([, data]) => Buffer.from(data!, 'base64').toString());
  return [json, ...payloads].join('\n');
}

describe('the recorded histories', () => {
  it('are those of all scenarios, and of each tool that runs as a task', () => {
    expect(recorded.map(({ name }) => name)).toEqual(Object.keys(SCENARIOS).sort());
    const tools = recorded.map(({ history }) => history.events?.[0]?.workflowExecutionStartedEventAttributes);
    const recordedTools = new Set(tools.map((started) => started?.workflowType?.name));
    for (const { name, task } of catalog.values()) expect(task === 'never' || recordedTools.has(name)).toBe(true);
  });

  it.each(recorded)(
    '$name replays on the code of the working tree',
    async ({ name, history }) => {
      const options = { workflowBundle: { code }, sinks: createTaskSinks(new Registry()) };
      await expect(Worker.runReplayHistory(options, history, name)).resolves.toBeUndefined();
    },
    30_000,
  );

  it.each(recorded)('$name holds no process, path or address of the machine that recorded it', ({ json }) => {
    const text = opened(json);
    expect(new Set([...json.matchAll(/"identity": "([^"]*)"/g)].map(([, identity]) => identity))).toEqual(
      new Set(['worker@recorded']),
    );
    expect(text).not.toMatch(/\d+@[\w.-]+|127\.0\.0\.1|localhost|file:\/\/|\n\s+at \S+ \(/);
  });
});
