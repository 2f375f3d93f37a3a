/** The MCP Inspector: its command line drives a task to its end, and `mcpdo` also answers what the task asks. */
import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { atScopeEnd } from '../../support/scope.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { openFixtures, type Fixtures } from './support/fixtures.ts';
import { inspectorProgram } from './support/inspector.ts';
import { runProgram, type Ended, type Program } from './support/program.ts';

let fixtures: Fixtures;
let home: string;
let inspector: Program;
let mcpdo: Program;
beforeAll(async () => {
  [fixtures, home, inspector, mcpdo] = await Promise.all([
    openFixtures(),
    temporaryFolder(),
    inspectorProgram('inspector'),
    inspectorProgram('mcpdo'),
  ]);
  await fixtures.start();
}, 240_000);

const textOf = ({ content }: { content: readonly { text: string }[] }): string | undefined => content[0]?.text;

describe('the command line of the Inspector', () => {
  const call = (tool: string, ...args: readonly string[]): Promise<Ended> =>
    runProgram(
      inspector,
      [
        ...['--cli', fixtures.url, '--transport', 'http', '--protocol-era', 'modern', '--format', 'json'],
        ...['--method', 'tools/call', '--tool-name', tool, ...args.flatMap((arg) => ['--tool-arg', arg])],
      ],
      { HOME: home },
    );

  it.each([
    ['greet', ['name=Ada'], 0, 'Hello, Ada!'],
    ['slow_compute', ['seconds=2'], 0, 'job: computed for 2 s'],
    ['failing_job', [], 5, 'The job failed, as it always does.'],
  ])(
    'gets the result of %s %j',
    async (tool, args, code, text) => {
      const ended = await call(tool, ...args);
      const { result } = JSON.parse(ended.stdout.split('\n')[0] ?? '') as { result: { content: { text: string }[] } };
      expect([ended.code, textOf(result)]).toEqual([code, text]);
    },
    90_000,
  );

  it('gets the error of a task that failed', async () => {
    const { code, stdout, stderr } = await call('protocol_error_job');
    expect([code, stdout + stderr]).toEqual([1, expect.stringContaining('The job ended with a protocol error')]);
  }, 90_000);
});

describe('mcpdo', () => {
  it('is asked by a task, answers, and gets the result', async () => {
    const daemon = {
      HOME: home,
      MCP_INSPECTOR_DAEMON_DIR: await temporaryFolder(),
      MCP_INSPECTOR_DAEMON_TOKEN: randomBytes(32).toString('base64url'),
    };
    const run = async (...args: readonly string[]): Promise<object> => {
      const { code, stdout, stderr } = await runProgram(mcpdo, ['--format', 'json', ...args], daemon);
      if (code !== 0) throw new Error(`mcpdo ${args.join(' ')} ended with ${String(code)}:\n${stderr}`);
      return JSON.parse(stdout) as object;
    };
    atScopeEnd(async () => {
      await run('daemon', 'stop');
    });
    const connected = await run('connect', '@p', fixtures.url, '--transport', 'http', '--era', 'modern');
    expect(connected).toMatchObject({ protocolEra: 'modern' });
    const { elicitationPending: asked } = (await run('@p', 'tools/call', 'confirm_delete', 'filename:=x')) as {
      elicitationPending: { elicitationId: string };
    };
    expect(asked).toMatchObject({ origin: 'task-input-required', mode: 'form', message: 'Delete x?' });
    const answered = await run('@p', 'elicitation/respond', asked.elicitationId, 'confirm:=true');
    expect(answered).toMatchObject({ content: [{ text: 'Deleted x.' }] });
    const slow = await run('@p', 'tools/call', 'slow_compute', 'seconds:=1');
    expect(slow).toMatchObject({ content: [{ text: 'job: computed for 1 s' }] });
  }, 150_000);
});
