/**
 * Elicitation forms: typed builders of the flat fields that the wire allows, and the check of an answer against the
 * schema that went out. Spec: elicitation, Requested Schema (flat objects of primitives; formats email, uri, date,
 * date-time; no `$ref`).
 *
 * Nothing is coerced and no default is filled in: defaults are for the client's form.
 */
import type { ElicitRequest, JsonObject, JsonValue } from './task.ts';

/** One form field; `Value` is what an accepted answer holds for it. */
export interface Field<Value> {
  readonly schema: JsonObject;
  readonly isRequired: boolean;
  /** Carries the type only. */
  readonly value?: Value;
}
export type Form = Readonly<Record<string, Field<unknown>>>;

type Simplify<T> = { [K in keyof T]: T[K] };
/** The content of an accepted answer to `F`. */
export type Answer<F extends Form> = Simplify<{
  readonly [K in keyof F]: F[K] extends Field<infer Value> ? Value : never;
}>;

/** A caller's reply to an elicitation. Spec: elicitation, Response Actions. */
export type ElicitReply<Content> =
  | { readonly action: 'accept'; readonly content: Content }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' };

interface Labels {
  readonly title?: string;
  readonly description?: string;
}
interface Option {
  readonly value: string;
  readonly title: string;
}

function field<Value>(schema: Record<string, JsonValue | undefined>): Field<Value> {
  const present = Object.entries(schema).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined);
  return { schema: Object.fromEntries(present), isRequired: true };
}

/** The field may be left out. */
export function optional<Value>(inner: Field<Value>): Field<Value | undefined> {
  return { schema: inner.schema, isRequired: false };
}
/** Lengths count Unicode code points. */
export function text(
  options: Labels & { minLength?: number; maxLength?: number; default?: string } = {},
): Field<string> {
  return field({ type: 'string', ...options });
}
export function email(options: Labels = {}): Field<string> {
  return field({ type: 'string', format: 'email', ...options });
}
/** A calendar date, `YYYY-MM-DD`. */
export function date(options: Labels = {}): Field<string> {
  return field({ type: 'string', format: 'date', ...options });
}
/** RFC 3339 with an offset. */
export function dateTime(options: Labels = {}): Field<string> {
  return field({ type: 'string', format: 'date-time', ...options });
}
/** Any URI with a scheme; whoever opens it limits the schemes. */
export function uri(options: Labels = {}): Field<string> {
  return field({ type: 'string', format: 'uri', ...options });
}
interface Bounds {
  readonly minimum?: number;
  readonly maximum?: number;
}
export function number(options: Labels & Bounds & { default?: number } = {}): Field<number> {
  return field({ type: 'number', ...options });
}
export function integer(options: Labels & Bounds & { default?: number } = {}): Field<number> {
  return field({ type: 'integer', ...options });
}
export function flag(options: Labels & { default?: boolean } = {}): Field<boolean> {
  return field({ type: 'boolean', ...options });
}
/** One of several; plain strings, or values with titles. The answer is the value, never the title. */
export function choice(
  options: readonly (string | Option)[],
  labels: Labels & { default?: string } = {},
): Field<string> {
  return field({ type: 'string', ...members('oneOf', options), ...labels });
}
export function choices(
  options: readonly (string | Option)[],
  limits: Labels & { minItems?: number; maxItems?: number } = {},
): Field<readonly string[]> {
  const titled = members('anyOf', options);
  return field({ type: 'array', items: 'enum' in titled ? { type: 'string', ...titled } : titled, ...limits });
}

function members(keyword: 'oneOf' | 'anyOf', options: readonly (string | Option)[]): JsonObject {
  if (options.every((option) => typeof option === 'string')) return { enum: options };
  return {
    [keyword]: options.map((option) =>
      typeof option === 'string' ? { const: option, title: option } : { const: option.value, title: option.title },
    ),
  };
}

/** The request that puts `form` to the caller. */
export function elicitation<F extends Form>(message: string, form: F): ElicitRequest<Answer<F>> {
  const required = Object.entries(form).filter(([, entry]) => entry.isRequired);
  return {
    method: 'elicitation/create',
    params: {
      mode: 'form',
      message,
      requestedSchema: {
        type: 'object',
        properties: Object.fromEntries(Object.entries(form).map(([name, entry]) => [name, entry.schema])),
        ...(required.length > 0 ? { required: required.map(([name]) => name) } : {}),
      },
    },
  };
}
