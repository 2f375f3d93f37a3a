/** README and documents name what is there. Links are checked by test/architecture/files.test.ts. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { SERVED_METHODS } from '../../protocol/methods.ts';
import { MAX_TASK_IDS } from '../../server/listen-filter.ts';
import { LISTEN_LIMITS } from '../../server/listen-http.ts';
import { files, read, root, sourceFiles } from '../architecture/tree.ts';
import { knownVariables } from '../support/known-variables.ts';

const documents = files.filter((file) => /^(README|CHANGELOG|docs\/.*)\.md$/.test(file));
/** Written by the reader of the README, who is shown how a tool is added. */
const OF_THE_READER = 'workflows/tools/follow-up.ts';
/** Some methods are named like a file in a folder of ours. */
const NO_FILES = new Set([OF_THE_READER, ...SERVED_METHODS]);

function named(pattern: RegExp, among = documents): readonly string[] {
  return among.flatMap((file) => [...read(file).matchAll(pattern)].map(([, name]) => `${file}: ${name!}`));
}

/** What is named and not there, with the document that names it. */
function unknown(found: readonly string[], isThere: (name: string) => boolean): readonly string[] {
  return found.filter((entry) => !isThere(entry.slice(entry.indexOf(': ') + 2)));
}

describe('what the documents name', () => {
  it('is looked for in all of them', () => {
    expect(documents).toEqual(
      expect.arrayContaining(['README.md', 'docs/operations.md', 'docs/decisions/0012-stack.md']),
    );
    expect(documents.length).toBeGreaterThan(20);
  });

  it('are npm scripts that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const runs = named(/\bnpm run (?:--silent )?([\w:-]+)/g);
    expect(runs.length).toBeGreaterThan(20);
    expect(unknown(runs, (name) => scripts[name] !== undefined)).toEqual([]);
  });

  it('are files and folders that exist', () => {
    const folders = [...new Set(files.flatMap((file) => (file.includes('/') ? [file.split('/')[0]!] : [])))];
    const path = `(?:${folders.map((name) => name.replace('.', '\\.')).join('|')})/[\\w./-]*[\\w/]`;
    const found = named(new RegExp(`(?<![\\w/.@-])(${path})(?=[^\\w*…<{]|$)`, 'g'));
    expect(found.length).toBeGreaterThan(100);
    const isThere = (name: string): boolean =>
      [name, `${name}.ts`].some((file) => existsSync(root + file)) || NO_FILES.has(name);
    expect(unknown(found, isThere)).toEqual([]);
  });

  it('are files beside the code that is spoken of', () => {
    const names = new Set(files.map((file) => file.split('/').at(-1)!));
    const found = named(/`([a-z][\w-]*\.(?:ts|js|cjs|csv|yaml|yml))`/g);
    expect(unknown(found, (name) => names.has(name))).toEqual([]);
  });

  it('are variables that something reads', () => {
    const envconfig = createRequire(import.meta.url).resolve('@temporalio/envconfig');
    const ofTemporal = readFileSync(`${dirname(envconfig)}/envconfig-toml.js`, 'utf8');
    const known = knownVariables();
    const constants = sourceFiles.map(read).join('\n');
    const found = named(/(?<![\w$])([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b(?!…)/g);
    expect(found.length).toBeGreaterThan(60);
    const isThere = (name: string): boolean =>
      known.has(name) || ofTemporal.includes(`'${name}'`) || constants.includes(`export const ${name} =`);
    expect(unknown(found, isThere)).toEqual([]);
  });

  it('are metrics that a process counts, and docs/operations.md has them all', () => {
    const counted = sourceFiles.flatMap((file) =>
      [...read(file).matchAll(/\bname: '(mcp_\w+)'/g)].map(([, name]) => name!),
    );
    expect(unknown(named(/\b(mcp_\w+)/g), (name) => counted.includes(name))).toEqual([]);
    const told = named(/\b(mcp_\w+)/g, ['docs/operations.md']).map((entry) => entry.split(': ')[1]!);
    expect([...new Set(told)].toSorted()).toEqual(counted.toSorted());
  });

  it('are the limits of push as they are', () => {
    const { streams, streamsPerCaller, keepAliveMs, blockedMs } = LISTEN_LIMITS;
    const [, push = ''] = read('docs/operations.md').split('## Serve push\n');
    const [section = ''] = push.split('\n## ');
    for (const limit of [
      `${streams.toLocaleString('en')} a process and ${String(streamsPerCaller)} a caller`,
      `| ${MAX_TASK_IDS.toLocaleString('en')}; more is -32602`,
      `a comment every ${String(keepAliveMs / 1_000)} s`,
      `${String(blockedMs / 1_000)} s without room`,
    ]) {
      expect(section).toContain(limit);
    }
  });

  it('are all the pictures there are', () => {
    const pictures = files.filter((file) => file.startsWith('docs/images/'));
    const text = documents.map(read).join('\n');
    expect(pictures.filter((file) => !text.includes(file.replace('docs/', '')))).toEqual([]);
  });
});
