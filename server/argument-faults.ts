/** Says what is wrong with arguments so that a caller can mend them. A value is never repeated: it may be a secret. */
import type { core } from 'zod';

const SHOWN_COUNT = 10;

/** One line a fault, `lines[0].quantity must be a number`. */
export function describeIssues(issues: readonly core.$ZodIssue[], raw: unknown): string {
  const lines = issues.slice(0, SHOWN_COUNT).flatMap((issue) => describeIssue(issue, raw));
  const more = issues.length - SHOWN_COUNT;
  return [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n');
}

function describeIssue(issue: core.$ZodIssue, raw: unknown): readonly string[] {
  const at = pathText(issue.path);
  switch (issue.code) {
    case 'invalid_type':
      return valueAt(raw, issue.path) === undefined
        ? [`${at} is missing; it must be ${withArticle(issue.expected)}`]
        : [`${at} must be ${withArticle(issue.expected)}`];
    case 'unrecognized_keys':
      return issue.keys.slice(0, SHOWN_COUNT).map((key) => `${pathText([...issue.path, key])} is not a known argument`);
    case 'invalid_value':
      return [`${at} must be one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`];
    case 'invalid_union':
      return [`${at} has none of the allowed forms`];
    default:
      return [`${at}: ${issue.message}`];
  }
}

/** A name that a caller chose is cut short and loses what a terminal or a log could act on. */
function pathText(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'arguments';
  const parts = path.map((part, index) => {
    if (typeof part === 'number') return `[${part}]`;
    const name = String(part).replace(/\p{C}/gu, '?').slice(0, 64);
    return index === 0 ? name : `.${name}`;
  });
  return parts.join('').slice(0, 200);
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let value = root;
  for (const part of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[part];
  }
  return value;
}

function withArticle(type: string): string {
  if (type === 'int') return 'a whole number';
  if (type === 'record') return 'an object';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}
