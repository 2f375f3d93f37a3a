/** What `npm run keys` can be told, and what it answers. */
import { parseArgs } from 'node:util';
import { UsageError } from './command-line.ts';
import type { ApiKeyRecord, ApiKeys, NewApiKey } from './api-keys.ts';

export type KeysCommand = { readonly json: boolean } & (
  | { readonly verb: 'create'; readonly key: NewApiKey }
  | { readonly verb: 'list' }
  | { readonly verb: 'revoke'; readonly keyId: string }
);

export interface KeysAnswer {
  readonly lines: readonly string[];
  readonly isFailure: boolean;
}

export class KeysUsageError extends UsageError {
  override readonly name = 'KeysUsageError';
}

const USAGE = `Usage:
  npm run keys -- create --subject NAME [--tenant NAME] [--scopes tasks:read,tasks:write] [--expires-days N] [--env live]
  npm run keys -- list
  npm run keys -- revoke KEY_ID
Add --json for output that programs read.`;

const DAY_MS = 86_400_000;
const MAX_DAYS = 3_650;
const MAX_NAME_LENGTH = 200;
/** RFC 6749, 3.3: what a scope may be written with. */
const SCOPE_PATTERN = /^[\x21\x23-\x5B\x5D-\x7E]{1,100}$/;

/** @throws KeysUsageError */
export function parseKeysCommand(args: readonly string[], now: number): KeysCommand {
  const { values, positionals } = parsed(args);
  const [verb, ...rest] = positionals;
  const json = values.json;
  if (verb === 'create' && rest.length === 0) return { json, verb, key: newKey(values, now) };
  const isAboutCreate = Object.keys(values).some((name) => name !== 'json');
  if (isAboutCreate) throw new KeysUsageError(`Only create takes options.\n${USAGE}`);
  if (verb === 'list' && rest.length === 0) return { json, verb };
  if (verb === 'revoke' && rest.length === 1) return { json, verb, keyId: keyIdIn(rest[0] ?? '') };
  throw new KeysUsageError(USAGE);
}

type Options = ReturnType<typeof parsed>['values'];

function parsed(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        subject: { type: 'string' },
        tenant: { type: 'string' },
        scopes: { type: 'string' },
        'expires-days': { type: 'string' },
        env: { type: 'string' },
        json: { type: 'boolean' },
      },
    });
    return { values: { ...values, json: values.json ?? false }, positionals };
  } catch (error: unknown) {
    throw new KeysUsageError(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`, { cause: error });
  }
}

function newKey(options: Options, now: number): NewApiKey {
  const { subject, tenant, scopes = 'tasks:read,tasks:write', env = 'live', 'expires-days': days } = options;
  const problems: string[] = [];
  if (subject === undefined || !isName(subject))
    problems.push('--subject: say whose key it is, in up to 200 characters');
  if (tenant !== undefined && !isName(tenant)) problems.push('--tenant: up to 200 characters');
  const scopeList = scopes.split(',').map((scope) => scope.trim());
  if (!scopeList.every((scope) => SCOPE_PATTERN.test(scope))) problems.push('--scopes: names separated by commas');
  if (!/^[a-z0-9]{1,16}$/.test(env)) problems.push('--env: 1 to 16 lower-case letters or digits');
  const dayCount = days === undefined ? undefined : Number(days);
  if (dayCount !== undefined && !(Number.isInteger(dayCount) && dayCount >= 1 && dayCount <= MAX_DAYS)) {
    problems.push(`--expires-days: a whole number from 1 to ${String(MAX_DAYS)}`);
  }
  if (problems.length > 0 || subject === undefined) throw new KeysUsageError([...problems, USAGE].join('\n'));
  return {
    environment: env,
    subject,
    tenant,
    scopes: [...new Set(scopeList)],
    expiresAt: dayCount === undefined ? undefined : now + dayCount * DAY_MS,
  };
}

/** No control characters: it is printed in lists. */
function isName(text: string): boolean {
  return text.length >= 1 && text.length <= MAX_NAME_LENGTH && !/\p{Cc}/u.test(text) && text.trim() === text;
}

function keyIdIn(text: string): string {
  if (/^[0-9a-f]{16}$/.test(text)) return text;
  // Somebody who pastes a whole key must not see it again in the answer.
  throw new KeysUsageError(`revoke: the id of a key is 16 digits, as list shows it.\n${USAGE}`);
}

/** @throws StoreDown */
export async function runKeysCommand(command: KeysCommand, keys: ApiKeys): Promise<KeysAnswer> {
  switch (command.verb) {
    case 'create': {
      const { text, record } = await keys.create(command.key);
      if (command.json) return said(JSON.stringify({ ...shown(record), key: text }));
      return said(text, '', 'This key is shown once. Keep it where secrets are kept.', ...about(record));
    }
    case 'list': {
      const records = await keys.list();
      if (command.json) return said(JSON.stringify(records.map(shown)));
      if (records.length === 0) return said('There are no API keys.');
      return said(...records.flatMap((record) => [record.keyId, ...about(record)]));
    }
    case 'revoke': {
      const record = await keys.revoke(command.keyId);
      if (record === undefined) return { lines: [`There is no key ${command.keyId}.`], isFailure: true };
      if (command.json) return said(JSON.stringify(shown(record)));
      return said(`Revoked ${record.keyId}. Fronts refuse it within a few seconds.`);
    }
  }
}

function said(...lines: string[]): KeysAnswer {
  return { lines, isFailure: false };
}

/** All but the hash; times as ISO 8601. */
function shown({ secretHash: _, createdAt, expiresAt, lastUsedAt, revokedAt, ...rest }: ApiKeyRecord) {
  const times = { createdAt, expiresAt, lastUsedAt, revokedAt };
  const written = Object.entries(times).map(([name, at]) => [name, at === undefined ? undefined : isoOf(at)]);
  return { ...rest, ...(Object.fromEntries(written) as Partial<Record<keyof typeof times, string>>) };
}

function about(record: ApiKeyRecord): string[] {
  const { keyId, subject, tenant, scopes, createdAt, expiresAt, lastUsedAt, revokedAt } = shown(record);
  const rows = { 'key id': keyId, subject, tenant, scopes: scopes.join(' '), created: createdAt };
  const times = { expires: expiresAt ?? 'never', 'last used': lastUsedAt ?? 'never', revoked: revokedAt };
  return Object.entries({ ...rows, ...times }).flatMap(([name, value]) =>
    value === undefined ? [] : [`  ${name.padEnd(10)} ${value}`],
  );
}

function isoOf(at: number): string {
  return new Date(at).toISOString();
}
