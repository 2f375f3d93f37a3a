/** The official client of the revisions up to 2025-11-25, with its experimental tasks. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ElicitRequestSchema, type ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { repositoryRoot } from './child.ts';
import { atScopeEnd } from './scope.ts';

export interface OlderClientOptions {
  /** Declares form elicitation, and answers each form with what this returns. */
  readonly onElicit?: (message: string) => ElicitResult | Promise<ElicitResult>;
}

/** Ends with the test or file that opened it. */
export async function connectOlderClient(transport: Transport, { onElicit }: OlderClientOptions = {}): Promise<Client> {
  const capabilities = onElicit === undefined ? {} : { elicitation: {} };
  const client = new Client({ name: 'older', version: '1.0.0' }, { capabilities });
  if (onElicit !== undefined) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => onElicit(params.message));
  }
  await client.connect(transport);
  atScopeEnd(() => client.close());
  return client;
}

export function overHttp(url: string, fetchLike?: typeof fetch): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(new URL(url), fetchLike && { fetch: fetchLike });
}

export type StdioEnv = Readonly<Record<string, string>>;

/** How a host starts the server: what is given to it, and nothing else of this process. */
export function stdioCommand(env: StdioEnv): { command: string; args: string[]; env: Record<string, string> } {
  const { PATH = '', HOME = '' } = process.env;
  return { command: process.execPath, args: [`${repositoryRoot}scripts/stdio.js`], env: { PATH, HOME, ...env } };
}

/** A process of its own, which ends with its client. */
export function overStdio(env: StdioEnv): StdioClientTransport {
  return new StdioClientTransport({ ...stdioCommand(env), stderr: 'pipe' });
}
