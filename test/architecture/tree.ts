/** The repository's files as the architecture tests read them. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

const NOT_OURS = new Set(['node_modules', '.git', 'dist', 'coverage', '.data']);
const SOURCE = /^(protocol|workflows|activities|server|worker|store|encryption|mail|ledger|client)\/.*\.ts$/;
const BINARY = /\.(png|jpe?g|gif|ico|pdf|ttf|otf|woff2?|gz|db|sqlite)$/;

/** Paths from the root, with slashes. */
export const files: readonly string[] = walk('');
export const sourceFiles = files.filter((file) => SOURCE.test(file));
export const textFiles = files.filter((file) => !BINARY.test(file));

export function read(file: string): string {
  return readFileSync(root + file, 'utf8');
}

/** Lines that match `pattern`, as `file:line: text`. */
export function linesThatMatch(paths: readonly string[], pattern: RegExp): readonly string[] {
  return paths.flatMap((file) =>
    read(file)
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
  );
}

function walk(folder: string): string[] {
  return readdirSync(root + folder, { withFileTypes: true })
    .filter((entry) => !NOT_OURS.has(entry.name))
    .flatMap((entry) => (entry.isDirectory() ? walk(`${folder}${entry.name}/`) : [folder + entry.name]))
    .sort();
}
