/** The fixture catalog as a real process, server and worker in one: over HTTP on a port that a restart keeps, or over stdio. */
import { randomBytes, randomUUID } from 'node:crypto';
import { answersOk, repositoryRoot } from '../../../support/child.ts';
import { compiledEntry } from '../../../support/compiled-entry.ts';
import { freePort } from '../../../support/free-port.ts';
import { startTracked, type RoleProcess } from '../../../support/processes.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { bundlePath, temporalAddress } from '../../../support/temporal.ts';

export interface StdioCommand {
  readonly command: string;
  readonly args: string[];
  readonly cwd: string;
  readonly env: Record<string, string>;
}

export interface Fixtures {
  /** Of the MCP endpoint. */
  readonly url: string;
  /** The command that serves it over stdio. */
  readonly stdio: StdioCommand;
  start(): Promise<RoleProcess>;
}

export async function openFixtures(): Promise<Fixtures> {
  const [folder, port] = await Promise.all([temporaryFolder(), freePort()]);
  const origin = `http://127.0.0.1:${String(port)}`;
  const env = {
    TEMPORAL_ADDRESS: temporalAddress(),
    TASK_QUEUE: `test-${randomUUID()}`,
    DATA_DIR: folder,
    PRINCIPAL_KEY: randomBytes(32).toString('hex'),
    WORKFLOW_BUNDLE: bundlePath('fixtures'),
    PORT: String(port),
    DRAIN_MS: '2000',
    LOG_LEVEL: 'warn',
  };
  const args = [compiledEntry('test/conformance/fixture-server.ts')];
  const { PATH = '', HOME = '' } = process.env;
  return {
    url: `${origin}/mcp`,
    stdio: {
      command: process.execPath,
      args: [...args, '--stdio'],
      cwd: repositoryRoot,
      env: { PATH, HOME, ...env },
    },
    async start() {
      const child = await startTracked({
        name: 'the fixture server',
        command: process.execPath,
        args,
        env,
        isReady: () => answersOk(`${origin}/readyz`),
        readyWithinMs: 40_000,
      });
      return { ...child, port, url: origin };
    },
  };
}
