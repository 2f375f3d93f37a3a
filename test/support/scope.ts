/** What a test opens ends with that test; what a file's `beforeAll` opens ends with the file. */
import { afterAll, afterEach, beforeEach } from '@jest/globals';

type End = () => Promise<void>;

const opened = { test: [] as End[], file: [] as End[] };
let current: keyof typeof opened = 'file';

beforeEach(() => {
  current = 'test';
});
afterEach(async () => {
  current = 'file';
  await endAll(opened.test);
});
afterAll(() => endAll(opened.file));

/** Registers how to end something. `end` throws when it could not: that is a leak, and fails the test. */
export function atScopeEnd(end: End): void {
  opened[current].push(end);
}

/** The newest first, and all of them, whatever one of them does. */
async function endAll(ends: End[]): Promise<void> {
  const failures: unknown[] = [];
  for (const end of ends.splice(0).reverse()) await end().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw new AggregateError(failures, `Leaked: ${failures.map(String).join('; ')}`);
}

export function hasTestFailed(): boolean {
  return (globalThis as { hasTestFailed?: boolean }).hasTestFailed === true;
}
