/** The command over stdio as docs/operations.md tells hosts to start it, and what it does while Temporal is away. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport, type StdioServerParameters } from '@modelcontextprotocol/client/stdio';
import { repositoryRoot } from '../support/child.ts';
import { eventually } from '../support/eventually.ts';
import { stdioCommand } from '../support/older-client.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openProduct, type Product } from '../support/product.ts';
import { createRelay } from '../support/relay.ts';
import { atScopeEnd } from '../support/scope.ts';

interface HostEntry {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const PLACEHOLDER = '/path/to/durable-mcp-tasks/';
/** Where a host keeps its servers: the member that holds them, and the entry of ours. */
const examples = [
  ...readFileSync(`${repositoryRoot}docs/operations.md`, 'utf8').matchAll(/```json\n([\s\S]*?)```/g),
].map(([, text]) => Object.entries(JSON.parse(text!) as Record<string, Record<string, HostEntry>>)[0]!);

let product: Product;
beforeAll(async () => {
  product = await openProduct();
}, 30_000);

async function connect(parameters: StdioServerParameters): Promise<Client> {
  const info = { name: 'host', version: '1.0.0' };
  const client = new Client(info, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StdioClientTransport({ stderr: 'ignore', ...parameters }));
  atScopeEnd(() => client.close());
  return client;
}

describe('the examples for hosts in docs/operations.md', () => {
  it('are one for each form that hosts keep their servers in', () => {
    expect(examples.map(([member, servers]) => [member, Object.keys(servers)])).toEqual([
      ['mcpServers', ['durable-mcp-tasks']],
      ['servers', ['durable-mcp-tasks']],
      ['context_servers', ['durable-mcp-tasks']],
    ]);
  });

  it.each(examples)(
    'start the server, wherever the host stands: %s',
    async (_member, servers) => {
      const { command, args, env } = servers['durable-mcp-tasks']!;
      expect(command).toBe('node');
      expect(args.filter((arg) => arg.startsWith(PLACEHOLDER))).toHaveLength(1);
      const client = await connect({
        command,
        args: args.map((arg) => arg.replace(PLACEHOLDER, repositoryRoot)),
        // The Temporal of the tests stands for the one of the example.
        env: { ...stdioCommand({}).env, ...env, ...product.env },
        cwd: await temporaryFolder(),
      });
      expect((await client.listTools()).tools.map(({ name }) => name)).toContain('purchase_order');
      const { content } = await client.callTool({ name: 'greet', arguments: { name: 'Ada' } });
      expect(content).toEqual([{ type: 'text', text: 'Hello, Ada!' }]);
    },
    60_000,
  );
});

describe('without Temporal the command', () => {
  it('starts, answers what needs no Temporal, refuses the rest clearly, and goes on by itself', async () => {
    const relay = await createRelay(Number(product.env['TEMPORAL_ADDRESS']!.split(':')[1]));
    atScopeEnd(() => relay.close());
    await relay.refuse();
    const client = await connect(stdioCommand({ ...product.env, TEMPORAL_ADDRESS: `127.0.0.1:${String(relay.port)}` }));
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
    expect(await client.callTool({ name: 'greet', arguments: { name: 'Ada' } })).toMatchObject({
      content: [{ text: 'Hello, Ada!' }],
    });
    const call = { name: 'slow_compute', arguments: { seconds: 0 } };
    await expect(client.callTool(call)).rejects.toMatchObject({
      code: -32603,
      message: expect.stringMatching(/cannot reach its task store at the moment\. Try again in a few seconds\.$/),
    });
    await relay.restore();
    await product.startWorker();
    await eventually(async () => {
      const answer = await client.callTool(call).catch(() => undefined);
      return answer?.content !== undefined;
    }, 30_000);
    expect(await client.callTool(call)).toMatchObject({ content: [{ text: 'The computation is done after 0 s.' }] });
  }, 120_000);
});
