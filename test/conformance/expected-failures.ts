import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';

/** Entries are `scenario` or `scenario:check`. */
export async function readExpectedFailures(file: string): Promise<ReadonlySet<string>> {
  const { server } = parse(await readFile(file, 'utf8')) as { server: readonly string[] };
  return new Set(server);
}
