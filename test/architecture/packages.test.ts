/** What the image installs (`npm ci --omit=dev`) is what the product needs, no less and no more. */
import { describe, expect, it } from '@jest/globals';
import { files, read } from './tree.ts';

const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Readonly<Record<string, string>> };
const PRODUCT = /^(protocol|workflows|activities|server|worker|store|encryption|mail|demo)\/.*\.ts$/;
const SCRIPTS = /^scripts\/.*\.[jt]s$/;
/** A package with its scope, without what stands behind its name. */
const PACKAGE = /\b(?:from|import\()\s*['"](@[\w-]+\/[\w.-]+|[a-z][\w.-]*)(?=['"/])/g;

const textOf = (pattern: RegExp): string =>
  files
    .filter((file) => pattern.test(file))
    .map(read)
    .join('\n');

describe('the packages of production', () => {
  it('hold whatever the product and the demo import', () => {
    const imported = [...new Set([...textOf(PRODUCT).matchAll(PACKAGE)].map(([, name]) => name!))];
    expect(imported).toContain('@modelcontextprotocol/server');
    expect(imported.filter((name) => dependencies[name] === undefined)).toEqual([]);
  });

  it('hold nothing that the product and its scripts do not name', () => {
    const text = `${textOf(PRODUCT)}\n${textOf(SCRIPTS)}`;
    const unnamed = Object.keys(dependencies).filter((name) => !new RegExp(`['"]${name}['"/]`).test(text));
    // The one copy of a library that several @temporalio packages share.
    expect(unnamed).toEqual(['protobufjs']);
  });
});
