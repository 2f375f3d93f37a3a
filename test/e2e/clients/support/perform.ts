import { compiledEntry } from '../../../support/compiled-entry.ts';
import { runProgram } from './program.ts';
import type { RequesterOutcome, RequesterStep } from './requester-step.ts';

const PROGRAM = {
  node: process.execPath,
  entry: [compiledEntry('test/e2e/clients/support/run-requester.ts')],
};

/**
 * What comes of `steps` with the official requester, in a process of its own. `server`: its URL, or the JSON of a command
 * that serves over stdio. @throws with what that process said when a step cannot be done
 */
export async function perform(server: string, steps: readonly RequesterStep[]): Promise<readonly RequesterOutcome[]> {
  const { code, stdout, stderr } = await runProgram(PROGRAM, [server, JSON.stringify(steps)]);
  if (code !== 0) throw new Error(`The requester ended with ${String(code)}:\n${stderr}`);
  return JSON.parse(stdout) as RequesterOutcome[];
}
