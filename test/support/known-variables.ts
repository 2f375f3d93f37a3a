/** The environment variables that the processes and scripts of this project read by themselves. */
import { readdirSync } from 'node:fs';
import { files, read, root } from '../architecture/tree.ts';

const CONFIGS = files.filter((file) => /^(?!test\/).*[/-]config\.ts$/.test(file));
/** Those of the system, and the list of folders to search for commands. */
const SYSTEM = new Set(['PATH', 'LOCALAPPDATA']);

export function knownVariables(): ReadonlySet<string> {
  const scripts = ['scripts', 'demo', 'demo/erp'].flatMap((folder) =>
    readdirSync(root + folder).flatMap((name) => (/\.[jt]s$/.test(name) ? [`${folder}/${name}`] : [])),
  );
  const names = [
    ...CONFIGS.flatMap((file) => found(file, /^\s+([A-Z][A-Z_]+): (?:z\b|list|wholeMs|wholeCount|trustedUrl)/gm)),
    ...files.flatMap((file) =>
      found(file, /^(?!.*\bfunction\b).*readSecretVariable\([\w.]+, '([A-Z_]+)'/gm).flatMap((name) => [
        name,
        `${name}_FILE`,
      ]),
    ),
    ...scripts.flatMap((file) => found(file, /(?:setting\(env, '|\bport\('|\benv(?:\.|\['))([A-Z][A-Z_]+)/g)),
  ];
  return new Set(names.filter((name) => !SYSTEM.has(name)));
}

function found(file: string, pattern: RegExp): readonly string[] {
  return [...read(file).matchAll(pattern)].map(([, name = '']) => name);
}
