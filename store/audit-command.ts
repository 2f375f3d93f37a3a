/** What `npm run audit` can be told, and what it answers. */
import { parseArgs } from 'node:util';
import type { Kysely } from 'kysely';
import type { AuditKeys } from '../protocol/audit-key.ts';
import { checkAudit, type NotedHead } from './audit-check.ts';
import { toCsv, toJson } from './audit-export.ts';
import { rowsOfTask } from './audit-rows.ts';
import { UsageError, type CommandAnswer } from './command-line.ts';
import type { Tables } from './tables.ts';

export type AuditCommand =
  | { readonly verb: 'verify'; readonly head?: NotedHead }
  | { readonly verb: 'export'; readonly taskId: string; readonly format: 'json' | 'csv' };

export class AuditUsageError extends UsageError {
  override readonly name = 'AuditUsageError';
}

const USAGE = `Usage:
  npm run audit -- verify [--head ID:HASH]
  npm run audit -- export TASK_ID [--format json|csv]
verify ends with exit code 1 when something was changed, dropped or added. --head also looks for a head that was noted elsewhere.`;

/** @throws AuditUsageError */
export function parseAuditCommand(args: readonly string[]): AuditCommand {
  const { values, positionals } = parsed(args);
  const [verb, taskId, ...rest] = positionals;
  const { head, format } = values;
  if (verb === 'verify' && taskId === undefined && format === undefined) {
    return head === undefined ? { verb } : { verb, head: notedHead(head) };
  }
  if (verb !== 'export' || taskId === undefined || rest.length > 0 || head !== undefined) {
    throw new AuditUsageError(USAGE);
  }
  if (format !== undefined && format !== 'json' && format !== 'csv') {
    throw new AuditUsageError(`--format: json or csv\n${USAGE}`);
  }
  return { verb, taskId, format: format ?? 'json' };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { head: { type: 'string' }, format: { type: 'string' } },
    });
  } catch (error: unknown) {
    throw new AuditUsageError(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`, { cause: error });
  }
}

function notedHead(text: string): NotedHead {
  const [, id, hash] = /^(\d{1,18}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (id === undefined || hash === undefined) {
    throw new AuditUsageError(`--head: the number and the hash of a row, as verify prints them\n${USAGE}`);
  }
  return { id: BigInt(id), hash };
}

/** @throws StoreDown */
export async function runAuditCommand(
  command: AuditCommand,
  { db, keys }: { readonly db: Kysely<Tables>; readonly keys: AuditKeys },
): Promise<CommandAnswer> {
  switch (command.verb) {
    case 'verify': {
      const { rows, heads, last, problems } = await checkAudit(db, keys, command.head);
      const read = `${String(rows)} rows and ${String(heads)} signed heads were read.`;
      if (problems.length > 0) return { text: [...problems, read].join('\n'), isFailure: true };
      return { text: `${read} The audit is whole up to ${String(last.id)}:${last.hash}`, isFailure: false };
    }
    case 'export': {
      const rows = await rowsOfTask(db, command.taskId);
      if (rows.length === 0) return { text: `The audit knows no task ${command.taskId}.`, isFailure: true };
      return { text: command.format === 'csv' ? toCsv(rows) : toJson(rows), isFailure: false };
    }
  }
}
