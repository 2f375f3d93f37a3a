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

/** A field, beside what zod, an independent judge, accepts for it. */
const field: fc.Arbitrary<{ field: AnyField; judge: z.ZodType }> = fc.oneof(
  fc.tuple(count, count).map(([minLength, more]) => ({
    field: form.text({ minLength, maxLength: minLength + more }),
    judge: z.string().refine((value) => [...value].length >= minLength && [...value].length <= minLength + more),
  })),
  bound.map((minimum) => ({ field: form.number({ minimum }), judge: z.number().gte(minimum) })),
  bound.map((maximum) => ({ field: form.integer({ maximum }), judge: z.int().lte(maximum) })),
  fc.constant({ field: form.flag(), judge: z.boolean() }),
  fc.constant({ field: form.date(), judge: z.iso.date() }),
  fc.uniqueArray(option, { minLength: 1 }).map((options) => ({
    field: form.choice(options),
    judge: z.enum(options as [string, ...string[]]),
  })),
  fc.tuple(fc.uniqueArray(option, { minLength: 1 }), count).map(([options, minItems]) => ({
    field: form.choices(
      options.map((value) => ({ value, title: value.toUpperCase() })),
      { minItems },
    ),
    judge: z.array(z.enum(options as [string, ...string[]])).refine((values) => new Set(values).size >= minItems),
  })),
);
const fields = fc.dictionary(
  name,
  fc.tuple(field, fc.boolean()).map(([each, isOptional]) => ({
    field: isOptional ? form.optional(each.field) : each.field,
    judge: isOptional ? z.union([z.undefined(), each.judge]) : each.judge,
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
          expect(() => checkElicitReply(request, response)).not.toThrow();
          expect(() => checkElicitReply(request, { action: 'accept', content: response })).not.toThrow();
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
        const isRight = Object.entries(parts).every(([key, { judge }]) => judge.safeParse(own(answer, key)).success);
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
