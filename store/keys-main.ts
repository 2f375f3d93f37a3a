/** `npm run keys`: API keys are made, listed and revoked by whoever can read the database and the pepper. */
import { ConfigError } from '../protocol/config-error.ts';
import { ApiKeys } from './api-keys.ts';
import { needsDatabase, runCommandLine, type CommandAnswer } from './command-line.ts';
import { readStoreConfig } from './config.ts';
import { parseKeysCommand, runKeysCommand } from './keys-command.ts';
import { migrate } from './migrate.ts';
import { openDatabase } from './postgres.ts';

async function run(args: readonly string[]): Promise<CommandAnswer> {
  const command = parseKeysCommand(args, Date.now());
  const { databaseUrl, pepper } = await readStoreConfig();
  const url = needsDatabase(databaseUrl);
  if (pepper === undefined) {
    throw new ConfigError(['API_KEY_PEPPER: is needed, the one that the fronts have; make one: openssl rand -hex 32']);
  }
  await migrate(url);
  const { db, close } = openDatabase(url, { maxConnections: 1 });
  try {
    const { lines, isFailure } = await runKeysCommand(command, new ApiKeys(db, pepper));
    return { text: lines.join('\n'), isFailure };
  } finally {
    await close();
  }
}

await runCommandLine(run);
