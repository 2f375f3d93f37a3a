import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import importLaw from './import-law.cjs';
import { importLawConfigs } from './lint-import-law.js';
import { root } from './tree.ts';

/** Those that are there by now. */
const FOLDERS = importLaw.ourFolders.filter((folder) => existsSync(join(root, folder)));

function messagesFor(file: string, line: string): readonly string[] {
  const parser = {
    files: ['**/*.ts'],
    languageOptions: { parser: tseslint.parser },
    plugins: { '@typescript-eslint': tseslint.plugin },
  };
  return new Linter()
    .verify(line, [parser as Linter.Config, ...importLawConfigs], { filename: file })
    .map(({ message }) => message);
}

describe('the import law', () => {
  it('holds on resolved paths, without cycles', async () => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['node_modules/dependency-cruiser/bin/dependency-cruise.mjs', ...FOLDERS, '--output-type', 'err'],
      { cwd: root },
    ).catch((error: unknown) => error as { stdout: string });
    expect(stdout).toContain('no dependency violations found');
  }, 60_000);

  it.each([
    ['protocol/a.ts', "import 'node:fs';", 'protocol/ is pure'],
    ['protocol/a.ts', "import { x } from '../workflows/tool.ts';", 'protocol/ is pure'],
    ['protocol/a.ts', "import { z } from 'zod';", 'protocol/ is pure'],
    ['protocol/a.ts', "import { Server } from '@modelcontextprotocol/server';", 'Types only'],
    ['workflows/a.ts', "import { readFile } from 'node:fs/promises';", 'no Node built-ins'],
    ['workflows/tools/a.ts', "import { z } from 'zod';", 'Types only'],
    ['workflows/tools/a.ts', "import { erp } from '../../activities/erp.ts';", 'Types only'],
    ['workflows/a.ts', "import { Client } from '@temporalio/client';", 'replayed in a sandbox'],
    ['workflows/a.ts', "import x from '../server/task-store.ts';", 'replayed in a sandbox'],
    ['activities/a.ts', "import x from '../workflows/contract.ts';", 'neither workflows nor the server'],
    ['server/a.ts', "import { Client } from '@temporalio/client';", 'by its contract and its port'],
    ['server/a.ts', "import x from '../workflows/tool-task.ts';", 'by its contract and its port'],
    ['server/a.ts', "import x from '../activities/erp.ts';", 'by its contract and its port'],
    ['worker/a.ts', "import x from '../workflows/index.ts';", 'by path'],
    ['worker/a.ts', "import { Server } from '@modelcontextprotocol/server';", 'nothing of MCP'],
    ['store/a.ts', "import x from '../server/caller.ts';", 'who calls it'],
    ['store/a.ts', "import x from '../scripts/lock.js';", 'who calls it'],
    ['store/a.ts', "import x from 'prom-client';", 'who calls it'],
    ['demo/a.ts', "import x from '../store/blobs.ts';", 'stands outside the product'],
    ['test/conformance/tools/a.ts', "import 'node:fs';", 'no Node built-ins'],
  ])('teaches at the line: %s, %s', (file, line, lesson) => {
    expect(messagesFor(file, line).join()).toContain(lesson);
  });

  it.each([
    ['protocol/a.ts', "import type { Tool } from '@modelcontextprotocol/server';"],
    ['workflows/tools/a.ts', "import type { z } from 'zod'; import type { A } from '../../activities/index.ts';"],
    ['workflows/a.ts', "import { sleep } from '@temporalio/workflow'; import x from '../protocol/task.ts';"],
    [
      'server/a.ts',
      "import x from '../workflows/contract.ts'; import y from './b.ts'; import { Server } from '@modelcontextprotocol/server';",
    ],
    ['server/temporal/a.ts', "import { Client } from '@temporalio/client'; import x from '../../store/blobs.ts';"],
    ['worker/a.ts', "import { Worker } from '@temporalio/worker'; import x from '../activities/index.ts';"],
    ['store/a.ts', "import 'node:fs'; import x from '../protocol/blob-ref.ts';"],
  ])('lets %s say %s', (file, line) => {
    expect(messagesFor(file, line)).toEqual([]);
  });
});
