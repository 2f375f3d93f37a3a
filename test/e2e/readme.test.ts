/** The README's snippets, run as they are printed there: in a shell against `npm start`, and in a copy of this repository. */
import { execFile } from 'node:child_process';
import { cp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { DetailedTask } from '../../protocol/task.ts';
import { answersOk, repositoryRoot } from '../support/child.ts';
import { startEverything } from '../support/everything.ts';
import { freePort } from '../support/free-port.ts';
import { startRole, startTracked } from '../support/processes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTaskClient, resultOf, textOf } from '../support/task-client.ts';
import { temporalAddress } from '../support/temporal.ts';

const PATIENCE_MS = 150_000;
const README_URL = 'http://127.0.0.1:3000/mcp';

async function snippets(title: string, language: string): Promise<readonly string[]> {
  const readme = await readFile(`${repositoryRoot}README.md`, 'utf8');
  const section = readme.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? '';
  return [...section.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map(([, code]) => code!);
}

function run(command: string, args: readonly string[], cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(command, args, { cwd, timeout: PATIENCE_MS }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${command} failed:\n${stdout}\n${stderr}`, { cause: error }));
    });
  });
}

describe('the walk through a task', () => {
  it(
    'can be pasted into a shell, and ends with one order and its PDF',
    async () => {
      // The call is answered as soon as the task asks, however slow the machine is.
      const everything = await startEverything({ SYNC_BUDGET_MS: '30000' });
      const folder = await temporaryFolder();
      const steps = await snippets('Walk through a task with curl', 'bash');
      const worker = /worker +\| started as process (\d+)/.exec(everything.start.output())![1]!;
      const script = steps
        .join('\n')
        .replaceAll(README_URL, everything.mcpUrl)
        .replace(/^WORKER=\d+$/m, `WORKER=${worker}`);
      expect(script).toContain(`WORKER=${worker}\n`);
      const said = await run('bash', ['-euo', 'pipefail', '-c', script], folder);

      expect(said).toMatch(/"status": "input_required"[\s\S]*"status": "working"[\s\S]*"status": "completed"/);
      expect(everything.start.output()).toMatch(/worker +\| ended unexpectedly \(SIGKILL\)/);
      const task = JSON.parse(await readFile(join(folder, 'answer.json'), 'utf8')) as DetailedTask;
      expect(textOf(resultOf(task))).toMatch(/^Order PO-\d+ is posted: Rechner & Söhne, Berlin, 5596\.00 EUR/);
      expect((await readFile(join(folder, 'order.pdf'))).subarray(0, 5).toString()).toBe('%PDF-');
    },
    PATIENCE_MS,
  );
});

describe('the added tool', () => {
  /** A copy to change, with the packages of this one. */
  async function copyOfRepository(): Promise<string> {
    const copy = await temporaryFolder();
    const apart = new Set(['node_modules', '.git', '.data', 'dist', 'coverage', 'test', 'docs']);
    for (const name of await readdir(repositoryRoot)) {
      if (!apart.has(name)) await cp(join(repositoryRoot, name), join(copy, name), { recursive: true });
    }
    await symlink(join(repositoryRoot, 'node_modules'), join(copy, 'node_modules'), 'dir');
    return copy;
  }

  async function addTool(copy: string): Promise<void> {
    const [tool, line] = await snippets('Add a tool', 'ts');
    const path = /^\/\/ (workflows\/tools\/[\w-]+\.ts)\n/.exec(tool!)![1]!;
    await writeFile(join(copy, path), tool!);
    const catalog = join(copy, 'workflows/tools/index.ts');
    const before = await readFile(catalog, 'utf8');
    const name = /export const (\w+) = defineTool/.exec(tool!)![1]!;
    const after = `import { ${name} } from './${path.split('/').at(-1)!}';\n${before.replace(/^export const catalog = .*$/m, line!.trim())}`;
    await writeFile(catalog, after);
  }

  it(
    'is under thirty lines, compiles, and runs as a task that asks until it is done',
    async () => {
      const copy = await copyOfRepository();
      await addTool(copy);
      const [tool] = await snippets('Add a tool', 'ts');
      expect(tool!.trim().split('\n').length).toBeLessThan(30);
      const options = { extends: './tsconfig.json', files: ['workflows/tools/index.ts'], include: [] };
      await writeFile(join(copy, 'tsconfig.tools.json'), JSON.stringify(options));
      await run(
        process.execPath,
        [join(repositoryRoot, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.tools.json'],
        copy,
      );

      const env = {
        TEMPORAL_ADDRESS: temporalAddress(),
        TASK_QUEUE: `readme-${copy.slice(-6)}`,
        DATA_DIR: await temporaryFolder(),
        SYNC_BUDGET_MS: '0',
      };
      const startCopy = async (entry: string, portVariable: string): Promise<string> => {
        const port = String(await freePort());
        const url = `http://127.0.0.1:${port}`;
        await startTracked({
          name: entry,
          command: process.execPath,
          args: ['--import', 'tsx', join(copy, entry)],
          env: { ...env, [portVariable]: port },
          readyWithinMs: 60_000,
          isReady: () => answersOk(`${url}/readyz`),
        });
        return url;
      };
      await startCopy('worker/main.ts', 'WORKER_PORT');
      const client = createTaskClient(await startCopy('server/main.ts', 'PORT'));
      const taskId = await client.create('follow_up', { what: 'Water the plants', everyMinutes: 0 });
      for (const done of [false, true]) {
        await client.until(taskId, ['input_required'], 20_000);
        await client.accept(taskId, { done });
      }
      const task = await client.until(taskId, ['completed'], 20_000);
      expect(textOf(resultOf(task))).toBe('Done, as of question 2: Water the plants');
    },
    PATIENCE_MS,
  );
});

describe('the call that npm start prints and the README repeats', () => {
  it('names the headers without which a front refuses it', async () => {
    const [helper] = await snippets('Walk through a task with curl', 'bash');
    const front = await startRole('front', {
      TEMPORAL_ADDRESS: temporalAddress(),
      TASK_QUEUE: 'readme-headers',
      DATA_DIR: await temporaryFolder(),
    });
    const call = 'mcp tools/call greet \'"name": "greet", "arguments": {"name": "Ada"}\'';
    const script = helper!.replaceAll(README_URL, `${front.url}/mcp`);
    const said = (text: string): Promise<string> => run('bash', ['-c', `${text}\n${call}`], repositoryRoot);
    expect(await said(script)).toContain('Hello, Ada!');
    for (const header of ['Mcp-Method', 'Mcp-Name', 'MCP-Protocol-Version']) {
      expect(await said(script.replace(header, `X-${header}`))).not.toContain('Hello, Ada!');
    }
  }, 60_000);
});
