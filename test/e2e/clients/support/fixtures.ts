/** The fixture catalog as a real process: front and worker in one, on a port that a restart keeps. */
import { randomBytes, randomUUID } from 'node:crypto';
import { answersOk } from '../../../support/child.ts';
import { freePort } from '../../../support/free-port.ts';
import { startTracked, temporaryFolder, type RoleProcess } from '../../../support/processes.ts';
import { bundlePath, temporalAddress } from '../../../support/temporal.ts';

export interface Fixtures {
  /** Of the MCP endpoint. */
  readonly url: string;
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
  return {
    url: `${origin}/mcp`,
    async start() {
      const child = await startTracked({
        name: 'the fixture server',
        command: process.execPath,
        args: ['--import', 'tsx', 'test/conformance/fixture-server.ts'],
        env,
        isReady: () => answersOk(`${origin}/readyz`),
        readyWithinMs: 40_000,
      });
      return { ...child, port, url: origin };
    },
  };
}
