import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { REQUEST_STATE_TEXT } from '../../server/errors.ts';
import { startBenchFront } from '../support/bench-front.ts';
import { eventually } from '../support/eventually.ts';
import { post, type RpcAnswer } from '../support/mcp-request.ts';
import { verifies } from '../support/verifies.ts';
import { atScopeEnd } from '../support/scope.ts';
import { openTaskBench, type TaskBench } from '../support/task-bench.ts';
import { catalog } from './asking-tools.ts';
import { testCaller } from '../support/test-caller.ts';

let bench: TaskBench;
beforeAll(async () => {
  bench = await openTaskBench(fileURLToPath(new URL('./asking-workflows.ts', import.meta.url)), {});
  await bench.startWorker();
}, 60_000);

async function call(url: string, retry: object = {}): Promise<RpcAnswer> {
  const params = { name: 'ask_twice', arguments: {}, ...retry };
  return (await post(url, { method: 'tools/call', params, capabilities: { elicitation: {} } })).body;
}
function answered({ result }: RpcAnswer): object {
  const [key = ''] = Object.keys(result.inputRequests as object);
  const inputResponses = { [key]: { action: 'accept', content: { yes: true } } };
  return { requestState: result.requestState, inputResponses };
}

describe('a task behind a multi round trip', () => {
  it('goes on in one workflow through another server in each round', async () => {
    const first = await startBenchFront(bench, catalog);
    const asked = await call(first.url);
    await first.drain();
    const second = await startBenchFront(bench, catalog);
    const askedAgain = await call(second.url, answered(asked));
    await second.drain();
    const third = await startBenchFront(bench, catalog);
    const { result } = await call(third.url, answered(askedAgain));
    // A state that is used again leads to the same task, which takes no answer twice.
    verifies('mrtr.state');
    for (const used of [asked, askedAgain]) {
      expect((await call(third.url, answered(used))).result.content).toEqual(result.content);
    }
    const [, taskId = ''] = /^accept accept in (\S+)$/.exec(result.content[0].text) ?? [];
    expect((await bench.get(taskId)).status).toBe('completed');
  });

  it('is not answered by another principal, who learns nothing of it', async () => {
    const ours = await startBenchFront(bench, catalog);
    const theirs = await startBenchFront({ ...bench, caller: testCaller('f'.repeat(32)) }, catalog);
    const asked = await call(ours.url);
    expect((await call(theirs.url, answered(asked))).error).toEqual({ code: -32602, message: REQUEST_STATE_TEXT });
    const next = await call(ours.url, { requestState: asked.result.requestState });
    expect(next.result.inputRequests).toEqual(asked.result.inputRequests);
  });

  it('hears no to an answer that comes too late: the state has expired, the task goes on', async () => {
    const hasty = await startBenchFront(bench, catalog, { requestStateTtlMs: 0 });
    const asked = await call(hasty.url);
    expect((await call(hasty.url, answered(asked))).error?.message).toBe(REQUEST_STATE_TEXT);
    await eventually(async () => {
      const { tasks } = await bench.store.list(bench.caller, { size: 1 });
      expect(tasks[0]).toMatchObject({ tool: 'ask_twice', status: 'input_required' });
    }, 10_000);
  });

  it('is carried to its end by a client that only knows how to elicit', async () => {
    const { url } = await startBenchFront(bench, catalog);
    const client = new Client(
      { name: 'test', version: '1.0.0' },
      { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: 'auto' } },
    );
    const questions: string[] = [];
    client.setRequestHandler('elicitation/create', ({ params }) => {
      questions.push(params.message);
      return { action: 'accept', content: { yes: true } };
    });
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    atScopeEnd(() => client.close());
    const result = await client.callTool({ name: 'ask_twice', arguments: {} });
    expect(questions).toEqual(['First?', 'Second?']);
    expect(result.content).toEqual([{ type: 'text', text: expect.stringMatching(/^accept accept in /) }]);
  });
});
