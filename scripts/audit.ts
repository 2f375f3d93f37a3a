/** `npm run audit`: the audit is checked and exported by whoever can read the database; to check it takes the key as well. */
import { readAuditKeys } from '../encryption/audit-keys.ts';
import { readDecisionKeys } from '../encryption/decision-signing.ts';
import { presentVariables } from '../protocol/present-variables.ts';
import { parseAuditCommand, runAuditCommand } from '../store/audit-command.ts';
import { needsDatabase, runCommandLine, type CommandAnswer } from '../store/command-line.ts';
import { readStoreConfig } from '../store/config.ts';
import { openDatabase } from '../store/postgres.ts';

/** To read a large audit takes longer than a request may. */
const ANSWER_WITHIN_MS = 120_000;

async function run(args: readonly string[]): Promise<CommandAnswer> {
  const command = parseAuditCommand(args);
  const variables = presentVariables(process.env);
  const url = needsDatabase((await readStoreConfig()).databaseUrl);
  const keys = await readAuditKeys(variables, await readDecisionKeys(variables));
  const { db, close } = openDatabase(url, { maxConnections: 1, answerWithinMs: ANSWER_WITHIN_MS });
  try {
    return await runAuditCommand(command, { db, keys });
  } finally {
    await close();
  }
}

await runCommandLine(run);
