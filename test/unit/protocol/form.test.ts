import { describe, expect, it } from '@jest/globals';
import * as form from '../../../protocol/form.ts';
import { verifies } from '../../support/verifies.ts';

const everyField = {
  text: form.text({ title: 'T', description: 'D', minLength: 1, maxLength: 9, default: 'x' }),
  email: form.email({ title: 'E' }),
  date: form.date(),
  dateTime: form.dateTime(),
  uri: form.uri(),
  number: form.number({ minimum: 0, maximum: 1, default: 0.5 }),
  integer: form.integer(),
  flag: form.flag({ default: true }),
  plainChoice: form.choice(['a', 'b'], { title: 'One' }),
  titledChoice: form.choice([{ value: 'a', title: 'Alpha' }, 'b']),
  plainChoices: form.choices(['a', 'b'], { minItems: 1 }),
  titledChoices: form.choices([{ value: 'a', title: 'Alpha' }], { maxItems: 1 }),
};

describe('elicitation', () => {
  it('writes each field as the wire allows it', () => {
    verifies('elicit.schema');
    expect(form.elicitation('Please', everyField)).toEqual({
      method: 'elicitation/create',
      params: {
        mode: 'form',
        message: 'Please',
        requestedSchema: {
          type: 'object',
          properties: {
            text: { type: 'string', title: 'T', description: 'D', minLength: 1, maxLength: 9, default: 'x' },
            email: { type: 'string', format: 'email', title: 'E' },
            date: { type: 'string', format: 'date' },
            dateTime: { type: 'string', format: 'date-time' },
            uri: { type: 'string', format: 'uri' },
            number: { type: 'number', minimum: 0, maximum: 1, default: 0.5 },
            integer: { type: 'integer' },
            flag: { type: 'boolean', default: true },
            plainChoice: { type: 'string', enum: ['a', 'b'], title: 'One' },
            titledChoice: {
              type: 'string',
              oneOf: [
                { const: 'a', title: 'Alpha' },
                { const: 'b', title: 'b' },
              ],
            },
            plainChoices: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, minItems: 1 },
            titledChoices: { type: 'array', items: { anyOf: [{ const: 'a', title: 'Alpha' }] }, maxItems: 1 },
          },
          required: Object.keys(everyField),
        },
      },
    });
  });

  it('emits nothing that a strict validator chokes on (C23)', () => {
    verifies('elicit.schema');
    const allowed = new Set(
      'type title description default format minLength maxLength minimum maximum enum oneOf anyOf items minItems maxItems const'.split(
        ' ',
      ),
    );
    const formats = new Set(['email', 'uri', 'date', 'date-time']);
    for (const { schema } of Object.values(everyField)) {
      expect(Object.keys(schema).filter((keyword) => !allowed.has(keyword))).toEqual([]);
      expect(formats.has((schema['format'] as string | undefined) ?? 'uri')).toBe(true);
    }
  });

  it('leaves `required` out when every field is optional', () => {
    const request = form.elicitation('?', { note: form.optional(form.text()) });
    expect(request.params['requestedSchema']).toEqual({ type: 'object', properties: { note: { type: 'string' } } });
  });

  it('leaves a label out that is undefined', () => {
    expect(form.email({ title: undefined }).schema).toEqual({ type: 'string', format: 'email' });
  });
});
