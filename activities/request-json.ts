/** A purchase request written as JSON. */
import {
  LINE_FIELDS,
  ORDER_FIELDS,
  checkedDocument,
  type RawField,
  type RawLine,
  type RawRequest,
} from './raw-request.ts';
import { RequestFault } from './request-fault.ts';

const NUMERIC: readonly string[] = ['quantity', 'unitPrice', 'total'];

/** @throws RequestFault */
export function parseJsonRequest(text: string): RawRequest {
  const document = parse(checkedDocument(text));
  return toRawRequest(document, 'document');
}

/**
 * `place` is put before the names of members in error messages; empty for the arguments of a call.
 * @throws RequestFault
 */
export function toRawRequest(value: unknown, place: string): RawRequest {
  const order = membersOf(value, [...ORDER_FIELDS, 'lines'], place === '' ? 'arguments' : place);
  const { lines } = order;
  const at = (name: string): string => (place === '' ? name : `${place}, ${name}`);
  if (!Array.isArray(lines)) throw new RequestFault(at('lines'), 'must be a list of line items.');
  return {
    order: fieldsOf(order, ORDER_FIELDS, at),
    lines: lines.map((line: unknown, index): RawLine => {
      const linePlace = at(`lines[${index}]`);
      const members = membersOf(line, LINE_FIELDS, linePlace);
      return { fields: fieldsOf(members, LINE_FIELDS, (name) => `${linePlace}.${name}`), place: linePlace };
    }),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const message = String(error);
    const offset = /position (\d+)/.exec(message)?.[1];
    // Of a wrong token V8 says no position; the last line would be a false trail.
    if (offset === undefined && !message.includes('Unexpected end')) {
      throw new RequestFault('document', 'this is not JSON. Send the text whole, and name the format that it has.');
    }
    const line = text.slice(0, offset === undefined ? undefined : Number(offset)).split('\n').length;
    throw new RequestFault(
      `document, line ${line}`,
      'this is not whole JSON. The document may have been cut off: send it whole.',
    );
  }
}

function membersOf(value: unknown, known: readonly string[], place: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new RequestFault(place, 'must be an object.');
  }
  if (Object.keys(value).some((name) => !known.includes(name))) {
    throw new RequestFault(place, `has a member that is not known. Known are ${known.join(', ')}.`);
  }
  return value as Record<string, unknown>;
}

function fieldsOf<Name extends string>(
  members: Readonly<Record<string, unknown>>,
  names: readonly Name[],
  placeOf: (name: string) => string,
): Partial<Record<Name, RawField>> {
  const fields: Partial<Record<Name, RawField>> = {};
  for (const name of names) {
    const value = members[name];
    if (value === undefined || value === null) continue;
    fields[name] = { text: textOf(value, name, placeOf(name)), place: placeOf(name) };
  }
  return fields;
}

/** A JSON number with decimals has already lost digits when it gets here, so only whole ones count. */
function textOf(value: unknown, name: string, place: string): string {
  if (typeof value === 'string') return value;
  if (!NUMERIC.includes(name)) throw new RequestFault(place, 'must be a string.');
  if (Number.isSafeInteger(value) && !Object.is(value, -0)) return String(value);
  throw new RequestFault(place, 'must be a string like "12.50", so that no digit is lost.');
}
