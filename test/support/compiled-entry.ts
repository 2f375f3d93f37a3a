import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The file that a process is started from. `source`: its path within the repository, one of those that are compiled. */
export function compiledEntry(source: string): string {
  const folder = process.env['TEST_COMPILED_PRODUCT'];
  if (folder === undefined) throw new Error('TEST_COMPILED_PRODUCT is not set: this project has no global set-up.');
  const file = join(folder, source.replace(/\.ts$/, '.js'));
  if (!existsSync(file)) throw new Error(`${source} is none of the entries in test/support/compiled-product.ts.`);
  return file;
}
