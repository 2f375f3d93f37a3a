/**
 * `npm run principal -- --issuer I --subject S [--tenant T]`, or `--local`: the hash under which the tasks of a caller stand in
 * workflow ids, search attributes and logs.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ConfigError } from '../protocol/config-error.ts';
import { presentVariables } from '../protocol/present-variables.ts';
import { localCaller } from '../server/local-caller.ts';
import { keyIdsOf } from '../server/principal-check.ts';
import { readKeptRing } from '../server/principal-key.ts';
import { callerOf, type Subject } from '../server/principal.ts';

const USAGE = `Usage:
  npm run principal -- --issuer ISSUER --subject SUBJECT [--tenant TENANT]
  npm run principal -- --local
The issuer of API keys is api-key.`;

async function main(args: readonly string[]): Promise<number> {
  const wanted = readArguments(args);
  if (wanted === undefined) return say(USAGE, 2);
  const variables = presentVariables(process.env);
  const dataDir = resolve(variables['DATA_DIR'] ?? '.data');
  const ring = await readKeptRing(variables, dataDir);
  if (ring === undefined) {
    return say(`There is no principal key yet: PRINCIPAL_KEY is not set, and no front has made one in ${dataDir}.`, 1);
  }
  const caller = wanted === 'local' ? localCaller(...ring) : callerOf(ring, wanted, { scopes: 'all' });
  const [newest = '', former] = keyIdsOf(ring);
  const lines = [`${caller.principal}  under the principal key ${newest}`];
  if (caller.formerPrincipal !== undefined)
    lines.push(`${caller.formerPrincipal}  under the former one, ${String(former)}`);
  return say(lines.join('\n'), 0);
}

/** `undefined`: they name nobody. */
function readArguments(args: readonly string[]): Subject | 'local' | undefined {
  try {
    const text = { type: 'string' } as const;
    const options = { issuer: text, subject: text, tenant: text, local: { type: 'boolean' } } as const;
    const { issuer, subject, tenant, local } = parseArgs({ args: [...args], options }).values;
    if (local === true) return (issuer ?? subject ?? tenant) === undefined ? 'local' : undefined;
    if (!issuer || !subject || tenant === '') return undefined;
    return { issuer, subject, ...(tenant === undefined ? {} : { tenant }) };
  } catch {
    return undefined;
  }
}

function say(text: string, code: number): number {
  (code === 0 ? console.log : console.error)(text);
  return code;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error);
  process.exitCode = 1;
}
