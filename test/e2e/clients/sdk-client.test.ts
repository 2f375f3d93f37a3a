/** The client of the SDK alone, which knows no tasks: every fixture tool works for it that does not insist on one. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { atScopeEnd } from '../../support/scope.ts';
import { openFixtures, type Fixtures } from './support/fixtures.ts';

let fixtures: Fixtures;
beforeAll(async () => {
  fixtures = await openFixtures();
  await fixtures.start();
}, 60_000);

async function connect(): Promise<Client> {
  const capabilities = { elicitation: { form: {} }, sampling: {} };
  const client = new Client({ name: 'sdk', version: '1.0.0' }, { capabilities, versionNegotiation: { mode: 'auto' } });
  client.setRequestHandler('elicitation/create', async () => ({
    action: 'accept',
    content: { name: 'Ada', username: 'ada', email: 'ada@example.com' },
  }));
  client.setRequestHandler('sampling/createMessage', async () => ({
    role: 'assistant',
    model: 'test',
    content: { type: 'text', text: 'Paris' },
  }));
  await client.connect(new StreamableHTTPClientTransport(new URL(fixtures.url)));
  atScopeEnd(() => client.close());
  return client;
}

describe('the client of the SDK', () => {
  it.each([
    ['greet', { name: 'Ada' }, 'Hello, Ada!'],
    ['slow_compute', { seconds: 2 }, 'job: computed for 2 s'],
    ['test_input_required_result_elicitation', {}, 'Hello, Ada!'],
    ['test_input_required_result_sampling', {}, 'Paris'],
    ['test_elicitation', { message: 'Who are you?' }, 'ada@example.com'],
    ['test_sampling', { prompt: 'The capital of France?' }, 'Paris'],
  ])(
    'gets the result of %s %j',
    async (name, args, text) => {
      const { content, isError } = await (await connect()).callTool({ name, arguments: args });
      expect([isError, content]).toEqual([undefined, [{ type: 'text', text: expect.stringContaining(text) }]]);
    },
    60_000,
  );

  it('hears of the progress of a held call', async () => {
    const heard: number[] = [];
    const onprogress = ({ progress }: { progress: number }): number => heard.push(progress);
    const client = await connect();
    await client.callTool({ name: 'test_tool_with_progress', arguments: {} }, { onprogress });
    expect(heard.length).toBeGreaterThanOrEqual(3);
    expect(heard).toEqual(heard.toSorted((a, b) => a - b));
  }, 60_000);

  it('is told what a tool needs that is always a task', async () => {
    const client = await connect();
    await expect(client.callTool({ name: 'failing_job', arguments: {} })).rejects.toMatchObject({ code: -32021 });
  });

  it('lists and reads resources', async () => {
    const client = await connect();
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(['test://static-text', 'test://static-binary']);
    const { contents } = await client.readResource({ uri: 'test://template/7/data' });
    expect(contents).toMatchObject([{ text: expect.stringContaining('Data for ID: 7') }]);
  });
});
