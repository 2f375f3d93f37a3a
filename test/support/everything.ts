/** `npm start` on ports and a data folder of its own: Temporal with its UI, worker, front, demo ERP. */
import type { Child } from './child.ts';
import { ownPlace } from './own-place.ts';
import { startTracked } from './processes.ts';

export interface Everything {
  readonly start: Child;
  /** Without `/mcp`. */
  readonly frontUrl: string;
  readonly mcpUrl: string;
  /** The origin of the Temporal UI. */
  readonly uiUrl: string;
  /** The link to the list of tasks, as printed. */
  readonly taskListUrl: string;
  readonly temporalAddress: string;
  readonly dataDir: string;
}

/** Ends with the test or file that started it. `more`: variables of all processes. */
export async function startEverything(more: Readonly<Record<string, string>> = {}): Promise<Everything> {
  const place = await ownPlace();
  const start = await startTracked({
    name: 'npm start',
    command: process.execPath,
    args: ['scripts/start.js'],
    env: {
      ...place,
      WORKFLOW_BUNDLE: process.env['TEST_PRODUCT_BUNDLE'],
      ...more,
    },
    readyWithinMs: 60_000,
    isReady: (child) => child.output().includes('Stop everything: Ctrl-C'),
  });
  const mcpUrl = printed(start, /MCP server +(\S+)/);
  const taskListUrl = printed(start, /Temporal UI +(\S+)/);
  return {
    start,
    mcpUrl,
    frontUrl: new URL(mcpUrl).origin,
    taskListUrl,
    uiUrl: new URL(taskListUrl).origin,
    temporalAddress: `127.0.0.1:${place.TEMPORAL_PORT}`,
    dataDir: place.DATA_DIR,
  };
}

function printed(start: Child, pattern: RegExp): string {
  const found = pattern.exec(start.output())?.[1];
  if (found === undefined) throw new Error(`npm start did not print ${String(pattern)}:\n${start.output()}`);
  return found;
}
