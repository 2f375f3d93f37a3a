import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atScopeEnd } from './scope.ts';

/** An empty folder that is gone after the test or file that asked for it. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'durable-mcp-tasks-'));
  atScopeEnd(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
