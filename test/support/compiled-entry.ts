import { join } from 'node:path';

/** The file that a process is started from. `source`: its path within the repository. */
export function compiledEntry(source: string): string {
  const folder = process.env['TEST_COMPILED_PRODUCT'];
  if (folder === undefined) throw new Error('TEST_COMPILED_PRODUCT is not set: this project has no global set-up.');
  return join(folder, source.replace(/\.ts$/, '.js'));
}
