import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { z } from 'zod';
import { checkElicitReply } from '../../protocol/answer-check.ts';
import * as form from '../../protocol/form.ts';

type AnyField = form.Field<unknown>;

const name = fc.constantFrom('a', 'b', 'amount', 'constructor', 'toString');
const option = fc.constantFrom('x', 'y', 'z');
const bound = fc.integer({ min: -5, max: 5 });
const count = fc.integer({ min: 0, max: 3 });

type Judge = (value: unknown) => boolean;
/** Made once: zod takes longer to make a schema than to judge by it. */
const [isBoolean, isDate, isNumber, isInteger] = [z.boolean(), z.iso.date(), z.number(), z.int()].map(
  (schema): Judge =>
    (value) =>
      schema.safeParse(value).success,
) as [Judge, Judge, Judge, Judge];
const isTextOf = (value: unknown, from: number, to: number): boolean =>
  typeof value === 'string' && [...value].length >= from && [...value].length <= to;
const areSomeOf = (value: unknown, options: readonly unknown[], from: number): boolean =>
  Array.isArray(value) && value.every((each) => options.includes(each)) && new Set(value).size >= from;

/** A field, beside what an independent judge accepts for it. */
const field: fc.Arbitrary<{ field: AnyField; judge: Judge }> = fc.oneof(
  fc.tuple(count, count).map(([minLength, more]) => ({
    field: form.text({ minLength, maxLength: minLength + more }),
    judge: (given: unknown) => isTextOf(given, minLength, minLength + more),
  })),
  bound.map((minimum) => ({
    field: form.number({ minimum }),
    judge: (given: unknown) => isNumber(given) && Number(given) >= minimum,
  })),
  bound.map((maximum) => ({
    field: form.integer({ maximum }),
    judge: (given: unknown) => isInteger(given) && Number(given) <= maximum,
  })),
  fc.constant({ field: form.flag(), judge: isBoolean }),
  fc.constant({ field: form.date(), judge: isDate }),
  fc.uniqueArray(option, { minLength: 1 }).map((options) => ({
    field: form.choice(options),
    judge: (given: unknown) => (options as readonly unknown[]).includes(given),
  })),
  fc.tuple(fc.uniqueArray(option, { minLength: 1 }), count).map(([options, minItems]) => ({
    field: form.choices(
      options.map((each) => ({ value: each, title: each.toUpperCase() })),
      { minItems },
    ),
    judge: (given: unknown) => areSomeOf(given, options, minItems),
  })),
);
const fields = fc.dictionary(
  name,
  fc.tuple(field, fc.boolean()).map(([each, isOptional]) => ({
    field: isOptional ? form.optional(each.field) : each.field,
    judge: (given: unknown) => (isOptional && given === undefined) || each.judge(given),
  })),
  { noNullPrototype: true },
);

/** Often near the schema, sometimes anything at all. */
const value = fc.oneof(
  fc.integer({ min: -7, max: 7 }),
  fc.double(),
  fc.boolean(),
  fc.string({ maxLength: 7 }),
  option,
  fc.array(option, { maxLength: 4 }),
  fc.constantFrom('2026-02-28', '2026-02-30', '2024-02-29', '', null),
  fc.jsonValue(),
);
const content = fc.dictionary(name, value, { noNullPrototype: true });

function own(object: object, member: string): unknown {
  return Object.hasOwn(object, member) ? (object as Record<string, unknown>)[member] : undefined;
}

describe('checkElicitReply', () => {
  it('never throws, whatever the answer is', () => {
    fc.assert(
      fc.property(
        fields,
        fc.anything({ withNullPrototype: true, withBigInt: true, withMap: true }),
        (parts, response) => {
          const request = form.elicitation(
            '?',
            Object.fromEntries(Object.entries(parts).map(([key, part]) => [key, part.field])),
          );
          checkElicitReply(request, response);
          checkElicitReply(request, { action: 'accept', content: response });
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('accepts exactly what an independent judge accepts, and hands on nothing else', () => {
    let acceptedCount = 0;
    fc.assert(
      fc.property(fields, content, (parts, answer) => {
        const request = form.elicitation(
          '?',
          Object.fromEntries(Object.entries(parts).map(([key, part]) => [key, part.field])),
        );
        const checked = checkElicitReply(request, { action: 'accept', content: answer });
        const isRight = Object.entries(parts).every(([key, { judge }]) => judge(own(answer, key)));
        expect(checked.ok).toBe(isRight);
        if (!checked.ok || checked.reply.action !== 'accept') return;
        acceptedCount += 1;
        for (const [key, taken] of Object.entries(checked.reply.content)) {
          const given = own(answer, key);
          expect(taken).toEqual(Array.isArray(given) ? [...new Set(given)] : given);
          expect(Object.hasOwn(parts, key)).toBe(true);
        }
      }),
      { numRuns: 5_000 },
    );
    expect(acceptedCount).toBeGreaterThan(200);
  });
});
