/** The recorded histories: real runs, as Temporal exports them, without what belongs to one machine. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';

export const HISTORIES = fileURLToPath(new URL('./histories/', import.meta.url));

export type History = ReturnType<typeof historyFromJSON>;

export interface Recorded {
  readonly name: string;
  readonly path: string;
  readonly json: string;
  readonly history: History;
}

export function readRecorded(): readonly Recorded[] {
  const files = readdirSync(HISTORIES).filter((file) => file.endsWith('.json'));
  return files.map((file) => {
    const json = readFileSync(HISTORIES + file, 'utf8');
    return {
      name: file.replace(/\.json$/, ''),
      path: HISTORIES + file,
      json,
      history: historyFromJSON(JSON.parse(json)),
    };
  });
}

/** What stands for the worker that recorded. */
const RECORDER = 'worker@recorded';
const MACHINE_FIELDS: Readonly<Record<string, string>> = { identity: RECORDER, stackTrace: '' };

/** Process ids, host names and the paths in stack traces, taken out of an exported history. */
export function withoutMachine(exported: unknown): unknown {
  const identities = new Set<string>();
  walk(exported, (field, value) => {
    if (field === 'identity' && value !== '') identities.add(value);
    return value;
  });
  return walk(exported, (field, value) => {
    const fixed = MACHINE_FIELDS[field];
    if (fixed !== undefined) return fixed;
    // The name of a sticky queue begins with the identity of its worker.
    return [...identities].reduce((text, identity) => text.replaceAll(identity, RECORDER), value);
  });
}

function walk(value: unknown, change: (field: string, value: string) => string, field = ''): unknown {
  if (typeof value === 'string') return change(field, value);
  if (Array.isArray(value)) return value.map((item) => walk(item, change, field));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, walk(member, change, name)]));
}
