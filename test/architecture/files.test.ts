import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { files, linesThatMatch, read, root, sourceFiles, textFiles } from './tree.ts';

const MAX_LINES = 200;
/** Names that tools look for. */
const FIXED_NAMES = /^(README|CHANGELOG|LICENSE|Dockerfile|\.[\w.-]+|package-lock\.json)/;
const KEBAB_CASE = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*$/;

/** Lines that hold a token: neither blank nor comment only. */
function codeLineCount(text: string): number {
  const source = ts.createSourceFile('x.ts', text, ts.ScriptTarget.Latest);
  const lines = new Set<number>();
  const visit = (node: ts.Node): void => {
    if (node.getChildCount(source) > 0) {
      node.getChildren(source).forEach(visit);
    } else if (node.kind !== ts.SyntaxKind.EndOfFileToken) {
      const from = source.getLineAndCharacterOfPosition(node.getStart(source)).line;
      const to = source.getLineAndCharacterOfPosition(node.getEnd()).line;
      for (let line = from; line <= to; line += 1) lines.add(line);
    }
  };
  visit(source);
  return lines.size;
}

/** The anchor that GitHub gives a heading. */
function anchorsOf(markdown: string): ReadonlySet<string> {
  const headings = [...markdown.matchAll(/^#+\s+(.*)$/gm)].map((match) => match[1] ?? '');
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(/\s/g, '-'),
    ),
  );
}

function brokenLinks(file: string): readonly string[] {
  const prose = read(file).replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, '');
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '');
  return links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? file : normalize(join(dirname(file), path));
    if (!existsSync(root + target)) return true;
    return anchor !== undefined && target.endsWith('.md') && !anchorsOf(read(target)).has(anchor);
  });
}

describe('files', () => {
  it(`hold at most ${MAX_LINES} lines of code in the source folders`, () => {
    const long = sourceFiles.map((file) => [file, codeLineCount(read(file))] as const);
    expect(long.filter(([, count]) => count > MAX_LINES)).toEqual([]);
  });

  it('have names in kebab-case', () => {
    const parts = files.flatMap((file) => file.split('/').map((part) => [file, part] as const));
    expect(parts.filter(([, part]) => !FIXED_NAMES.test(part) && !KEBAB_CASE.test(part))).toEqual([]);
  });

  it('are not named after nothing in particular', () => {
    const vague = /(^|\/)(utils?|helpers?|common|shared|misc|types|core)(\/|\.ts$)/;
    expect(sourceFiles.filter((file) => vague.test(file))).toEqual([]);
  });

  it('read the environment in config.ts only', () => {
    const others = sourceFiles.filter((file) => !file.endsWith('/config.ts'));
    expect(linesThatMatch(others, /\bprocess\.env\b|['"]node:process['"]/)).toEqual([]);
  });

  it('name no package registry and no path of one machine', () => {
    const registry = /\bregistry\.[\w-]+\.\w/;
    const machinePath = /(?<![\w.:/$}-])[/](?:root|work|Users|home[/](?!node\b)\w+)[/]|\b[A-Z]:\\Users/;
    expect(linesThatMatch(textFiles, registry)).toEqual([]);
    expect(linesThatMatch(textFiles, machinePath)).toEqual([]);
  });

  it('lock packages by version and checksum, not by where they were fetched', () => {
    const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, Record<string, unknown>> };
    expect(Object.keys(lock.packages).filter((name) => 'resolved' in lock.packages[name]!)).toEqual([]);
  });
});

describe('documents', () => {
  it('link to what is there', () => {
    const documents = files.filter((file) => file.endsWith('.md'));
    expect(documents.flatMap((file) => brokenLinks(file).map((link) => `${file}: ${link}`))).toEqual([]);
  });

  it('draw the dependencies as they are (npm run docs:graph)', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['scripts/draw-dependencies.js', '--print'], {
      cwd: root,
    });
    expect(read('docs/dependencies.md')).toBe(stdout);
  }, 60_000);
});
