/** A question to the visitor, as the form that its flat schema describes. */
import { html } from 'hono/html';
import { isJsonObject } from '../../protocol/own-member.ts';
import type { InputRequest, JsonObject, JsonValue } from '../../protocol/task.ts';
import type { Html } from './html.ts';

/** The name of a field in the form; of one of several choices with its place among them. */
export function fieldName(name: string, index?: number): string {
  return index === undefined ? `field.${name}` : `field.${name}.${String(index)}`;
}

/** The fields of a form request, in their order. */
export function fieldsOf({ params }: InputRequest): readonly [name: string, rules: JsonObject][] {
  const schema = params['requestedSchema'];
  const properties = isJsonObject(schema) ? schema['properties'] : undefined;
  if (!isJsonObject(properties)) return [];
  return Object.entries(properties).filter((entry): entry is [string, JsonObject] => isJsonObject(entry[1]));
}

/** What may be chosen, with its titles; `undefined` where anything may be written. */
export function optionsOf(
  rules: JsonObject,
): readonly { readonly value: string; readonly title: string }[] | undefined {
  const plain = rules['enum'];
  if (Array.isArray(plain)) {
    return plain.flatMap((value: JsonValue) => (typeof value === 'string' ? { value, title: value } : []));
  }
  const titled = rules['oneOf'] ?? rules['anyOf'];
  if (!Array.isArray(titled)) return undefined;
  return titled
    .filter(isJsonObject)
    .map((option) => ({ value: textOf(option, 'const'), title: textOf(option, 'title') }));
}

export function questionFields(request: InputRequest, key: string): Html {
  const schema = request.params['requestedSchema'];
  const required =
    isJsonObject(schema) && Array.isArray(schema['required']) ? (schema['required'] as readonly string[]) : [];
  return html`${fieldsOf(request).map(([name, rules], index) =>
    field({ name, rules, id: `${key}-${String(index)}`, isRequired: required.includes(name) }),
  )}`;
}

interface FieldParts {
  readonly name: string;
  readonly rules: JsonObject;
  readonly id: string;
  readonly isRequired: boolean;
}

function field({ name, rules, id, isRequired }: FieldParts): Html {
  const label = html`${textOf(rules, 'title') || name}${isRequired ? '' : ' (may be left out)'}`;
  const hint = textOf(rules, 'description');
  const described = hint === '' ? '' : html`<small id="${id}-hint">${hint}</small>`;
  const describedBy = hint === '' ? '' : html`aria-describedby="${id}-hint"`;
  if (rules['type'] === 'boolean') {
    const checked = rules['default'] === true ? html`checked` : '';
    return html`<label class="inline">
        <input type="checkbox" name="${fieldName(name)}" ${checked} ${describedBy} />
        <span>${label}</span>
      </label>
      ${described}`;
  }
  const need = isRequired ? html`required` : '';
  if (rules['type'] === 'array') return severalOf(name, rules, label, described);
  const options = optionsOf(rules);
  const attributes = html`id="${id}" name="${fieldName(name)}" ${need} ${describedBy}`;
  const control = options === undefined ? entry(rules, attributes) : oneOf(rules, options, attributes);
  return html`<label for="${id}">${label}</label> ${control} ${described}`;
}

function severalOf(name: string, rules: JsonObject, label: Html, described: Html | string): Html {
  const items = rules['items'];
  const options = isJsonObject(items) ? (optionsOf(items) ?? []) : [];
  return html`<fieldset>
    <legend>${label}</legend>
    ${described}
    ${options.map(
      ({ title }, index) =>
        html`<label class="inline">
          <input type="checkbox" name="${fieldName(name, index)}" />
          <span>${title}</span>
        </label>`,
    )}
  </fieldset>`;
}

function oneOf(rules: JsonObject, options: NonNullable<ReturnType<typeof optionsOf>>, attributes: Html): Html {
  return html`<select ${attributes}>
    <option value="">Choose one</option>
    ${options.map(
      ({ value, title }) =>
        html`<option value="${value}" ${rules['default'] === value ? html`selected` : ''}>${title}</option>`,
    )}
  </select>`;
}

const INPUT_TYPES: Readonly<Record<string, string>> = { email: 'email', uri: 'url', date: 'date' };

/** Browsers know no time with a zone: that is written as text. */
function entry(rules: JsonObject, attributes: Html): Html {
  const { type, format, minimum, maximum, default: value } = rules;
  const start = typeof value === 'string' || typeof value === 'number' ? html`value="${value}"` : '';
  if (type === 'number' || type === 'integer') {
    const bound = (name: 'min' | 'max', limit: unknown): Html | string =>
      typeof limit === 'number' ? html`${name}="${limit}"` : '';
    const step = type === 'integer' ? '1' : 'any';
    return html`<input
      type="number"
      step="${step}"
      ${bound('min', minimum)}
      ${bound('max', maximum)}
      ${start}
      ${attributes}
    />`;
  }
  const kind = typeof format === 'string' ? (INPUT_TYPES[format] ?? 'text') : 'text';
  return html`<input type="${kind}" ${start} ${attributes} />`;
}

function textOf(rules: JsonObject, member: string): string {
  const value = rules[member];
  return typeof value === 'string' ? value : '';
}
