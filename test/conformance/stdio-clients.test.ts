/** The official clients of MCP 2026-07-28 with the fixture tools over stdio. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client, type ClientCapabilities } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { openFixtures, type Fixtures } from '../e2e/clients/support/fixtures.ts';
import { perform } from '../e2e/clients/support/perform.ts';
import { atScopeEnd } from '../support/scope.ts';
import { verifies } from '../support/verifies.ts';

let fixtures: Fixtures;
beforeAll(async () => {
  fixtures = await openFixtures();
}, 60_000);

describe('the official requester over stdio', () => {
  it('drives tasks to each of their ends, and answers what they ask', async () => {
    verifies('get.completed', 'get.failed', 'get.cancelled', 'get.input-required', 'create.mrtr-first');
    const answers = [{ name: 'Ada', confirm: true }];
    const outcomes = await perform(JSON.stringify(fixtures.stdio), [
      { do: 'call', tool: 'greet', args: { name: 'Ada' } },
      { do: 'call', tool: 'slow_compute', args: { seconds: 2 } },
      { do: 'call', tool: 'failing_job', args: {} },
      { do: 'call', tool: 'protocol_error_job', args: {} },
      { do: 'call', tool: 'confirm_delete', args: { filename: 'a' }, answers },
      { do: 'call', tool: 'multi_input', args: {}, answers },
      { do: 'call', tool: 'test_tool_with_task', args: {}, answers },
      { do: 'call', tool: 'test_custom_header', args: { region: 'eu' } },
      { do: 'cancel', tool: 'slow_compute', args: { seconds: 60 } },
    ]);
    const has = (part: string): unknown => expect.stringContaining(part);
    expect(outcomes).toEqual([
      { kind: 'immediate', status: 'completed', text: 'Hello, Ada!', asked: 0 },
      { kind: 'task', status: 'completed', text: 'job: computed for 2 s', asked: 0 },
      { kind: 'task', status: 'completed', isError: true, text: has('failed'), asked: 0 },
      { kind: 'task', status: 'failed', code: -32603, text: has('protocol error'), asked: 0 },
      { kind: 'task', status: 'completed', text: 'Deleted a.', asked: 1 },
      { kind: 'task', status: 'completed', text: has('confirm: accept'), asked: expect.any(Number) },
      { kind: 'task', status: 'completed', text: 'Hello, Ada!', asked: 1 },
      { kind: 'immediate', status: 'completed', text: 'In eu.', asked: 0 },
      { kind: 'task', status: 'cancelled', asked: 0 },
    ]);
  }, 150_000);
});

describe('the client of the SDK over stdio', () => {
  async function connect(capabilities: ClientCapabilities): Promise<Client> {
    const info = { name: 'test', version: '1.0.0' };
    const client = new Client(info, { capabilities, versionNegotiation: { mode: 'auto' } });
    await client.connect(new StdioClientTransport({ ...fixtures.stdio, stderr: 'ignore' }));
    atScopeEnd(() => client.close());
    return client;
  }

  it('is asked form, model and roots, before a task and by one, and gets a plain result each time', async () => {
    verifies('create.undeclared', 'mrtr.kinds');
    const client = await connect({ elicitation: { form: {} }, sampling: {}, roots: {} });
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    const content = { name: 'Ada', username: 'ada', email: 'ada@example.com' };
    client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content }));
    const answer = { role: 'assistant', model: 'test', content: { type: 'text', text: 'Paris' } } as const;
    client.setRequestHandler('sampling/createMessage', () => answer);
    client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///project' }] }));
    const textOf = async (name: string, args: Record<string, unknown> = {}): Promise<string> => {
      const result = await client.callTool({ name, arguments: args });
      return JSON.stringify(result.content);
    };
    expect(await textOf('test_input_required_result_multiple_inputs')).toMatch(/Paris.*Ada.*file:\/\/\/project/);
    expect(await textOf('test_elicitation', { message: 'Who?' })).toContain('ada@example.com');
    expect(await textOf('test_sampling', { prompt: 'The capital of France?' })).toContain('Paris');
    expect(await textOf('slow_compute', { seconds: 1 })).toContain('computed for 1 s');
  }, 90_000);

  it('is refused what it has not declared, by name', async () => {
    verifies('create.required', 'env.capability');
    const client = await connect({});
    const required = client.callTool({ name: 'failing_job', arguments: {} });
    await expect(required).rejects.toMatchObject({ code: -32021, message: expect.stringContaining('tasks') });
    const sampling = client.callTool({ name: 'test_missing_capability', arguments: {} });
    await expect(sampling).rejects.toMatchObject({ code: -32021, message: expect.stringContaining('sampling') });
  }, 90_000);
});
