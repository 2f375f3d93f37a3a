/** From the fields of a form to the answer that a client would send. */
import type { InputRequest, JsonObject, JsonValue } from '../../protocol/task.ts';
import { isJsonObject } from '../../protocol/own-member.ts';
import { fieldName, fieldsOf, optionsOf } from './question-form.ts';

/** What was left empty is left out. Whether it fits the schema is for the check of answers to say. */
export function answerOf(request: InputRequest, form: ReadonlyMap<string, string>): JsonObject {
  if (form.get('action') !== 'accept') return { action: 'decline' };
  const content = fieldsOf(request).flatMap(([name, rules]) => {
    const value = valueOf(name, rules, form);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { action: 'accept', content: Object.fromEntries(content) };
}

function valueOf(name: string, rules: JsonObject, form: ReadonlyMap<string, string>): JsonValue | undefined {
  const written = form.get(fieldName(name));
  switch (rules['type']) {
    case 'boolean':
      return written !== undefined;
    case 'array': {
      const items = rules['items'];
      const options = isJsonObject(items) ? (optionsOf(items) ?? []) : [];
      const chosen = options.filter((_, index) => form.has(fieldName(name, index)));
      return chosen.map(({ value }) => value);
    }
    case 'number':
    case 'integer':
      return written === undefined || written.trim() === '' ? undefined : numberOf(written);
    default:
      return written === '' ? undefined : written?.replaceAll('\r\n', '\n');
  }
}

/** What is no number stays what was written, and is refused as such. */
function numberOf(written: string): JsonValue {
  const value = Number(written);
  return Number.isFinite(value) ? value : written;
}
