/**
 * Does a response fit its request? Pure, and used where the answer is decided: in the workflow.
 * Spec: elicitation, servers SHOULD validate; only `accept` carries content that counts.
 */
import type { ElicitReply } from './form.ts';
import { isJsonObject as isObject, ownMember } from './own-member.ts';
import type { ElicitRequest, JsonObject, JsonValue } from './task.ts';

export type CheckedReply =
  | { readonly ok: true; readonly reply: ElicitReply<JsonObject> }
  | { readonly ok: false; readonly problem: string };

export function checkElicitReply(request: ElicitRequest, response: unknown): CheckedReply {
  if (!isObject(response)) return problem('the answer must be an object with an action');
  const action = own(response, 'action');
  if (action === 'decline' || action === 'cancel') return { ok: true, reply: { action } };
  if (action !== 'accept') return problem('action must be accept, decline or cancel');
  // A page was opened, no form was filled in: there is no content to check.
  if (request.params['mode'] === 'url') return { ok: true, reply: { action, content: {} } };
  const content = own(response, 'content');
  if (!isObject(content)) return problem('an accepted answer needs a content object');
  const schema = request.params['requestedSchema'];
  return isObject(schema) ? checkContent(schema, content) : problem('the request carries no schema');
}

function checkContent(schema: JsonObject, content: JsonObject): CheckedReply {
  const properties = own(schema, 'properties');
  const required = own(schema, 'required');
  const accepted: [string, JsonValue][] = [];
  for (const [name, rules] of Object.entries(isObject(properties) ? properties : {})) {
    const value = own(content, name);
    if (value === undefined) {
      if (Array.isArray(required) && required.includes(name)) return problem(`${name} is missing`);
      continue;
    }
    const fault = isObject(rules) ? faultOf(rules, value) : undefined;
    if (fault !== undefined) return problem(`${name} ${fault}`);
    accepted.push([name, Array.isArray(value) ? [...new Set(value)] : value]);
  }
  return { ok: true, reply: { action: 'accept', content: Object.fromEntries(accepted) } };
}

/** What is wrong with `value`, in words that follow the field's name. */
function faultOf(rules: JsonObject, value: JsonValue): string | undefined {
  switch (rules['type']) {
    case 'string':
      return typeof value === 'string' ? stringFault(rules, value) : 'must be a string';
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'must be true or false';
    case 'integer':
      if (!Number.isSafeInteger(value)) return 'must be a whole number';
      return boundsFault(rules, value as number);
    case 'number':
      return Number.isFinite(value) ? boundsFault(rules, value as number) : 'must be a finite number';
    case 'array':
      return Array.isArray(value) ? arrayFault(rules, value as readonly JsonValue[]) : 'must be a list';
    default:
      return undefined;
  }
}

function boundsFault(rules: JsonObject, value: number): string | undefined {
  const { minimum, maximum } = rules;
  if (typeof minimum === 'number' && value < minimum) return `must be at least ${String(minimum)}`;
  if (typeof maximum === 'number' && value > maximum) return `must be at most ${String(maximum)}`;
  return undefined;
}

function stringFault(rules: JsonObject, value: string): string | undefined {
  const allowed = allowedValues(rules);
  if (allowed !== undefined && !allowed.includes(value)) return `must be one of ${allowed.join(', ')}`;
  const length = [...value].length;
  const { minLength, maxLength, format } = rules;
  if (typeof minLength === 'number' && length < minLength) return `must have at least ${String(minLength)} characters`;
  if (typeof maxLength === 'number' && length > maxLength) return `must have at most ${String(maxLength)} characters`;
  return typeof format === 'string' && !hasFormat(format, value) ? `must be a valid ${format}` : undefined;
}

function arrayFault(rules: JsonObject, values: readonly JsonValue[]): string | undefined {
  const { items, minItems, maxItems } = rules;
  const allowed = isObject(items) ? allowedValues(items) : undefined;
  if (!values.every((value) => typeof value === 'string')) return 'must hold strings only';
  if (allowed !== undefined && !values.every((value) => allowed.includes(value))) {
    return `may hold only ${allowed.join(', ')}`;
  }
  const count = new Set(values).size;
  if (typeof minItems === 'number' && count < minItems) return `needs at least ${String(minItems)} of them`;
  if (typeof maxItems === 'number' && count > maxItems) return `allows at most ${String(maxItems)} of them`;
  return undefined;
}

function allowedValues(rules: JsonObject): readonly string[] | undefined {
  const plain = rules['enum'];
  if (Array.isArray(plain)) return plain as readonly string[];
  const titled = rules['oneOf'] ?? rules['anyOf'];
  if (!Array.isArray(titled)) return undefined;
  return titled.map((option) => (option as { const: string }).const);
}

const DATE_TIME =
  /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;

export function hasFormat(format: string, value: string): boolean {
  switch (format) {
    case 'date':
      return isCalendarDate(value);
    case 'date-time': {
      const day = DATE_TIME.exec(value)?.[1];
      return day !== undefined && isCalendarDate(day);
    }
    case 'email':
      return value.length <= 254 && /^[^\s@<>()]+@[^\s@<>()]+$/.test(value);
    case 'uri':
      return /^[A-Za-z][A-Za-z0-9+.-]*:[^\s]+$/.test(value);
    default:
      return true;
  }
}

/** JavaScript turns 30 February into 2 March; a round trip finds that out. */
function isCalendarDate(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const parsed = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(value);
}

function problem(words: string): CheckedReply {
  return { ok: false, problem: words };
}
function own(object: JsonObject, name: string): JsonValue | undefined {
  return ownMember(object, name) as JsonValue | undefined;
}
