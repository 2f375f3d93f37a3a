/** How a command for operators begins and ends: its arguments, where its words go, and what its exit code says. */
import { inspect } from 'node:util';
import { ConfigError } from '../protocol/config-error.ts';
import { StoreDown } from './store-down.ts';

export interface CommandAnswer {
  readonly text: string;
  /** Exit code 1, and the text goes where errors go. */
  readonly isFailure: boolean;
}

/** The person at the keyboard has to write something else; the message says what. Exit code 2. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';
}

/** `plain`: further errors whose message says all that an operator needs. */
export async function runCommandLine(
  run: (args: readonly string[]) => Promise<CommandAnswer>,
  plain: readonly (abstract new (...args: never[]) => Error)[] = [],
): Promise<void> {
  const told = [ConfigError, UsageError, StoreDown, ...plain];
  try {
    const { text, isFailure } = await run(process.argv.slice(2));
    (isFailure ? process.stderr : process.stdout).write(`${text}\n`);
    if (isFailure) process.exitCode = 1;
  } catch (error: unknown) {
    const isPlain = error instanceof Error && told.some((kind) => error instanceof kind);
    process.stderr.write(`${isPlain ? error.message : inspect(error)}\n`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}

export function needsDatabase(databaseUrl: string | undefined): string {
  if (databaseUrl !== undefined) return databaseUrl;
  throw new ConfigError([
    'DATABASE_URL: is needed; or run `npm start` beside this, which brings a database of its own',
  ]);
}
