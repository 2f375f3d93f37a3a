/** Texts and values that nobody expects, and messages that are changed by them. */
import type { SeededRandom } from '../support/seeded-random.ts';

export const ODD_TEXTS = [
  '',
  '\0',
  '__proto__',
  'constructor',
  '../../etc/passwd',
  "' OR 1=1 --",
  '%00',
  '\u{1F4A9}\u202E',
  'a'.repeat(5_000),
  '${jndi:ldap://x}',
  '=HYPERLINK("x")',
] as const;
const ODD_VALUES = [null, true, -1, 0, 1e308, -0, 2 ** 53, [], {}, [[]], 'x'] as const;

/** Names that mean something in a message. */
const NAMES = ['id', 'method', 'params', 'jsonrpc', 'tools/call', 'tasks/get', 'tasks/list', 'initialize'] as const;

/** Changes, takes away or adds one member somewhere inside. */
export function mutate(random: SeededRandom, value: Record<string, unknown>): void {
  const keys = Object.keys(value);
  const key = keys[random.below(keys.length)] ?? 'x';
  const inner = value[key];
  if (typeof inner === 'object' && inner !== null && !Array.isArray(inner) && random.below(2) === 0) {
    mutate(random, inner as Record<string, unknown>);
    return;
  }
  switch (random.below(4)) {
    case 0:
      Reflect.deleteProperty(value, key);
      break;
    case 1:
      value[key] = random.pick(ODD_TEXTS);
      break;
    case 2:
      value[key] = random.pick(ODD_VALUES);
      break;
    default:
      value[random.pick(ODD_TEXTS)] = randomJson(random, 3);
  }
}

export function randomJson(random: SeededRandom, depth: number): unknown {
  const choice = random.below(depth > 0 ? 4 : 2);
  if (choice === 0) return random.pick(ODD_VALUES);
  if (choice === 1) return random.pick(ODD_TEXTS);
  const members = Array.from({ length: random.below(5) }, () => randomJson(random, depth - 1));
  if (choice === 2) return members;
  return Object.fromEntries(members.map((member) => [random.pick([...NAMES, ...ODD_TEXTS]), member]));
}
