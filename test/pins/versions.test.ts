import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { SPEC_COMMIT } from '../../protocol/extension.ts';
import { INSPECTOR } from '../e2e/clients/support/inspector.ts';
import { SUITE } from '../conformance/official-suite.ts';

/** Of the schemas of @modelcontextprotocol/ext-tasks that this server was written and tested against. */
const EXT_TASKS_SCHEMAS = '303789e6fe085e4ea6b41b8344c46ef7875d367fe165062c99474d4ef033170d';

const versions = await readFile('docs/versions.md', 'utf8');

describe('the schemas of the Tasks extension', () => {
  it('are those that docs/versions.md names: read there what to do when they have changed', async () => {
    const digest = await digestOf(
      dirname(fileURLToPath(import.meta.resolve('@modelcontextprotocol/ext-tasks/core/v2'))),
    );
    expect(digest).toBe(EXT_TASKS_SCHEMAS);
    expect(versions).toContain(`\`${EXT_TASKS_SCHEMAS}\``);
  });
});

describe('docs/versions.md', () => {
  it('names the commit of the specification', () => {
    expect(versions).toContain(`\`${SPEC_COMMIT}\``);
  });

  it('names each MCP package in the version that is pinned', async () => {
    const { dependencies, devDependencies } = JSON.parse(await readFile('package.json', 'utf8')) as Record<
      'dependencies' | 'devDependencies',
      Readonly<Record<string, string>>
    >;
    const installed = Object.entries({ ...dependencies, ...devDependencies }).map((pin) => pin.join('@'));
    const pins = [...installed.filter((pin) => pin.startsWith('@modelcontextprotocol/')), SUITE, INSPECTOR];
    const named = [...versions.matchAll(/^\| `(@modelcontextprotocol\/[^`]+)`\s*\| (\S+)\s*\|/gm)].map(
      ([, name, version]) => `${String(name)}@${String(version)}`,
    );
    expect(named.toSorted()).toEqual(pins.toSorted());
  });
});

/** Code and declarations, by name and content; source maps say nothing new. */
async function digestOf(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => /\.(js|d\.ts)$/.test(name)).toSorted();
  const hash = createHash('sha256');
  for (const name of names) hash.update(`${name}\n`).update(await readFile(join(folder, name)));
  return hash.digest('hex');
}
