/** The official requester of the Tasks extension, against the fixture tools. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { kill9 } from '../../support/product.ts';
import type { RoleProcess } from '../../support/processes.ts';
import { openFixtures, type Fixtures } from './support/fixtures.ts';
import { runProgram } from './support/program.ts';
import type { RequesterOutcome, RequesterStep } from './support/requester-step.ts';

const PROGRAM = {
  node: process.execPath,
  entry: ['--import', 'tsx', 'test/e2e/clients/support/run-requester.ts'],
};

let fixtures: Fixtures;
let server: RoleProcess;
beforeAll(async () => {
  fixtures = await openFixtures();
  server = await fixtures.start();
}, 60_000);

/** In a process of their own. */
async function perform(steps: readonly RequesterStep[]): Promise<readonly RequesterOutcome[]> {
  const { code, stdout, stderr } = await runProgram(PROGRAM, [fixtures.url, JSON.stringify(steps)]);
  if (code !== 0) throw new Error(`The requester ended with ${String(code)}:\n${stderr}`);
  return JSON.parse(stdout) as RequesterOutcome[];
}

function call(tool: string, args: Readonly<Record<string, string | number>> = {}): RequesterStep {
  return { do: 'call', tool, args };
}

describe('the official requester', () => {
  it('gets results and errors as the tools say them, at once or from a task', async () => {
    const outcomes = await perform([
      call('greet', { name: 'Ada' }),
      call('slow_compute', { seconds: 0 }),
      call('slow_compute', { seconds: 2, label: 'sum' }),
      call('failing_job'),
      call('protocol_error_job'),
      { do: 'cancel', tool: 'slow_compute', args: { seconds: 60 } },
    ]);
    expect(outcomes).toEqual([
      { kind: 'immediate', status: 'completed', text: 'Hello, Ada!', asked: 0 },
      { kind: 'immediate', status: 'completed', text: 'job: computed for 0 s', asked: 0 },
      { kind: 'task', status: 'completed', text: 'sum: computed for 2 s', asked: 0 },
      { kind: 'task', status: 'completed', isError: true, text: 'The job failed, as it always does.', asked: 0 },
      { kind: 'task', status: 'failed', code: -32603, text: expect.stringContaining('protocol error'), asked: 0 },
      { kind: 'task', status: 'cancelled', asked: 0 },
    ]);
  }, 150_000);

  it('answers what a task asks, and what is asked before there is one', async () => {
    const named = { name: 'Ada' };
    const outcomes = await perform([
      { do: 'call', tool: 'confirm_delete', args: { filename: 'a' }, answers: [{ confirm: false }] },
      { do: 'call', tool: 'confirm_delete', args: { filename: 'b' }, answers: [{ confirm: 'yes' }, { confirm: true }] },
      { do: 'call', tool: 'multi_input', args: {}, answers: [{ ...named, confirm: true }] },
      { do: 'call', tool: 'test_tool_with_task', args: {}, answers: [named] },
      { do: 'call', tool: 'test_input_required_result_multiple_inputs', args: {}, answers: [named] },
      { do: 'call', tool: 'test_sampling', args: { prompt: 'The capital of France?' } },
    ]);
    expect(outcomes).toEqual([
      { kind: 'task', status: 'completed', text: 'Kept a.', asked: 1 },
      { kind: 'task', status: 'completed', text: 'Deleted b.', asked: 2 },
      { kind: 'task', status: 'completed', text: expect.stringContaining('confirm: '), asked: expect.any(Number) },
      { kind: 'task', status: 'completed', text: 'Hello, Ada!', asked: 1 },
      { kind: 'immediate', status: 'completed', text: expect.stringContaining('file:///work'), asked: 1 },
      { kind: 'task', status: 'completed', text: expect.stringContaining('Paris'), asked: 0 },
    ]);
  }, 150_000);

  it('hands a task over to another process, though the server was killed and started again in between', async () => {
    const [started] = await perform([{ do: 'start', tool: 'confirm_delete', args: { filename: 'c' } }]);
    const { reference } = started ?? {};
    if (reference === undefined) throw new Error('No reference was handed over.');
    await kill9(server);
    server = await fixtures.start();
    const outcomes = await perform([{ do: 'resume', reference, answers: [{ confirm: true }] }]);
    expect(outcomes).toEqual([{ kind: 'task', status: 'completed', text: 'Deleted c.', asked: 1 }]);
  }, 200_000);
});
