import { describe, expect, it } from '@jest/globals';
import { checkElicitReply, hasFormat } from '../../../protocol/answer-check.ts';
import {
  choice,
  choices,
  date,
  dateTime,
  elicitation,
  email,
  flag,
  integer,
  number,
  optional,
  text,
  uri,
  type Field,
} from '../../../protocol/form.ts';

/** The verdict on `content`, given as JSON text so that odd numbers and member names arrive as they do on the wire. */
function verdict(fields: Record<string, Field<unknown>>, contentJson: string): unknown {
  const response = JSON.parse(`{"action":"accept","content":${contentJson}}`) as unknown;
  const checked = checkElicitReply(elicitation('?', fields), response);
  return checked.ok ? checked.reply : checked.problem;
}
function accepted(content: unknown): unknown {
  return { action: 'accept', content };
}

describe('checkElicitReply: the action (C20)', () => {
  const request = elicitation('Approve?', { approve: flag({ default: true }) });
  const verdictOf = (response: unknown): unknown => {
    const checked = checkElicitReply(request, response);
    return checked.ok ? checked.reply : checked.problem;
  };

  it.each([
    ['{"action":"accept"}', 'an accepted answer needs a content object'],
    ['{"action":"accept","content":null}', 'an accepted answer needs a content object'],
    ['{"action":"accept","content":[true]}', 'an accepted answer needs a content object'],
    ['{"action":"accept","content":{}}', 'approve is missing'],
    ['{"action":"accept","content":{"input":true}}', 'approve is missing'],
    ['{"action":"accept","content":{"approve":"true"}}', 'approve must be true or false'],
    ['{"action":"ACCEPT","content":{"approve":true}}', 'action must be accept, decline or cancel'],
    ['{"action":"approve"}', 'action must be accept, decline or cancel'],
    ['{"result":{"action":"accept","content":{"approve":true}}}', 'action must be accept, decline or cancel'],
    ['{}', 'action must be accept, decline or cancel'],
    ['null', 'the answer must be an object with an action'],
    ['"accept"', 'the answer must be an object with an action'],
    ['[]', 'the answer must be an object with an action'],
  ])('refuses %s', (json, problem) => {
    expect(verdictOf(JSON.parse(json))).toBe(problem);
  });

  it.each([
    ['{"action":"accept","content":{"approve":true}}', accepted({ approve: true })],
    ['{"action":"accept","content":{"approve":false}}', accepted({ approve: false })],
    ['{"action":"decline","content":{"approve":true}}', { action: 'decline' }],
    ['{"action":"decline","content":null}', { action: 'decline' }],
    ['{"action":"cancel"}', { action: 'cancel' }],
  ])('takes %s', (json, reply) => {
    expect(verdictOf(JSON.parse(json))).toEqual(reply);
  });

  it('refuses an answer to a request that carries no schema', () => {
    const bare = { method: 'elicitation/create', params: { message: '?' } } as const;
    expect(checkElicitReply(bare, { action: 'accept', content: {} })).toEqual({
      ok: false,
      problem: 'the request carries no schema',
    });
  });

  it('takes nothing that was not asked', () => {
    expect(verdict({ a: text() }, '{"a":"x","admin":true}')).toEqual(accepted({ a: 'x' }));
  });

  it('lets an optional field be absent', () => {
    expect(verdict({ note: optional(text()) }, '{}')).toEqual(accepted({}));
  });

  it('reads a schema without properties or of another type as nothing to check', () => {
    const loose = { method: 'elicitation/create', params: { requestedSchema: {} } } as const;
    expect(checkElicitReply(loose, { action: 'accept', content: { a: 1 } })).toMatchObject({ ok: true });
    const odd = {
      method: 'elicitation/create',
      params: { requestedSchema: { properties: { a: { type: 'x' }, b: true } } },
    } as const;
    expect(checkElicitReply(odd, { action: 'accept', content: { a: 1, b: 2 } })).toMatchObject({ ok: true });
  });
});

describe('checkElicitReply: numbers (C21)', () => {
  const amount = { amount: number({ minimum: 0.01, maximum: 5000 }) };
  const qty = { qty: integer({ minimum: 1 }) };

  it.each([
    ['{"amount":12.5}', { amount: 12.5 }],
    ['{"amount":5000}', { amount: 5000 }],
    // A double cannot tell this from 5000.
    ['{"amount":5000.0000000000001}', { amount: 5000 }],
  ])('accepts %s as a number', (json, content) => {
    expect(verdict(amount, json)).toEqual(accepted(content));
  });

  it.each([
    ['{"amount":"12.50"}', 'amount must be a finite number'],
    ['{"amount":1e400}', 'amount must be a finite number'],
    ['{"amount":null}', 'amount must be a finite number'],
    ['{"amount":[1]}', 'amount must be a finite number'],
    ['{"amount":-0}', 'amount must be at least 0.01'],
    ['{"amount":5000.01}', 'amount must be at most 5000'],
  ])('refuses %s as a number', (json, problem) => {
    expect(verdict(amount, json)).toBe(problem);
  });

  it('accepts 1.0 as an integer', () => {
    expect(verdict(qty, '{"qty":1.0}')).toEqual(accepted({ qty: 1 }));
  });

  it.each([['2.5'], ['"3"'], ['"42xyz"'], ['9007199254740993'], ['null'], ['[1]'], ['1e400']])(
    'refuses %s as an integer',
    (json) => {
      expect(verdict(qty, `{"qty":${json}}`)).toBe('qty must be a whole number');
    },
  );

  it('leaves a number without bounds free', () => {
    expect(verdict({ x: number() }, '{"x":-1e300}')).toEqual(accepted({ x: -1e300 }));
  });
});

describe('checkElicitReply: choices and texts (C23)', () => {
  const one = { pick: choice([{ value: 'a', title: 'Alpha' }, 'b']) };
  const several = { picks: choices(['a', 'b', 'c'], { minItems: 1, maxItems: 2 }) };

  it('accepts the value of a choice', () => {
    expect(verdict(one, '{"pick":"a"}')).toEqual(accepted({ pick: 'a' }));
    expect(verdict({ pick: choice(['x']) }, '{"pick":"x"}')).toEqual(accepted({ pick: 'x' }));
  });

  it.each([['"Alpha"'], ['"A"']])('refuses %s, a title or another case', (json) => {
    expect(verdict(one, `{"pick":${json}}`)).toBe('pick must be one of a, b');
  });

  it('refuses a list for a single choice', () => {
    expect(verdict(one, '{"pick":["a"]}')).toBe('pick must be a string');
  });

  it('counts a repeated member once', () => {
    expect(verdict(several, '{"picks":["a","a"]}')).toEqual(accepted({ picks: ['a'] }));
  });

  it('accepts members of a titled list', () => {
    expect(verdict({ picks: choices([{ value: 'a', title: 'Alpha' }]) }, '{"picks":["a"]}')).toEqual(
      accepted({ picks: ['a'] }),
    );
  });

  it.each([
    ['[]', 'picks needs at least 1 of them'],
    ['["a","b","c"]', 'picks allows at most 2 of them'],
    ['["a","zz"]', 'picks may hold only a, b, c'],
    ['["a",1]', 'picks must hold strings only'],
    ['"a"', 'picks must be a list'],
    ['"a,b"', 'picks must be a list'],
  ])('refuses %s', (json, problem) => {
    expect(verdict(several, `{"picks":${json}}`)).toBe(problem);
  });

  it('leaves a list without allowed values free', () => {
    const free = {
      params: { requestedSchema: { properties: { a: { type: 'array' } } } },
      method: 'elicitation/create',
    } as const;
    expect(checkElicitReply(free, { action: 'accept', content: { a: ['x'] } })).toMatchObject({ ok: true });
  });

  it('counts characters as code points', () => {
    const fields = { note: text({ minLength: 2, maxLength: 3 }) };
    expect(verdict(fields, '{"note":"😀😀😀"}')).toEqual(accepted({ note: '😀😀😀' }));
    expect(verdict(fields, '{"note":"😀"}')).toBe('note must have at least 2 characters');
    expect(verdict(fields, '{"note":"abcd"}')).toBe('note must have at most 3 characters');
    expect(verdict(fields, '{"note":5}')).toBe('note must be a string');
  });

  it.each([
    [date(), '2026-02-30', 'must be a valid date'],
    [dateTime(), '2026-11-29T10:00:00', 'must be a valid date-time'],
    [email(), 'nobody', 'must be a valid email'],
    [uri(), 'no scheme', 'must be a valid uri'],
  ])('names the format that %j misses', (field, value, problem) => {
    expect(verdict({ f: field }, JSON.stringify({ f: value }))).toBe(`f ${problem}`);
  });
});

describe('checkElicitReply: names of the prototype (C25)', () => {
  const fields = { approve: flag() };

  it.each([['{"__proto__":{"approve":true}}'], ['{"constructor":{"approve":true}}']])('does not read %s', (content) => {
    expect(verdict(fields, content)).toBe('approve is missing');
  });

  it('does not read an action from the prototype', () => {
    const response = JSON.parse('{"__proto__":{"action":"accept","content":{"approve":true}}}') as unknown;
    expect(checkElicitReply(elicitation('?', fields), response)).toMatchObject({ ok: false });
  });

  it('leaves objects as they were', () => {
    verdict(fields, '{"__proto__":{"polluted":true}}');
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('asks for fields with such names and takes their answers as own members', () => {
    const named = { constructor: text(), toString: text() };
    expect(verdict(named, '{}')).toBe('constructor is missing');
    expect(verdict(named, '{"constructor":"a","toString":"b"}')).toEqual(accepted({ constructor: 'a', toString: 'b' }));
  });
});

describe('hasFormat', () => {
  it.each([
    ['date', '2026-11-29', true],
    ['date', '2024-02-29', true],
    ['date', '2026-02-29', false],
    ['date', '2026-11-29T10:00:00Z', false],
    ['date', '2026-13-01', false],
    ['date-time', '2026-11-29T10:00:00Z', true],
    ['date-time', '2026-11-29T10:00:00.123+01:00', true],
    ['date-time', '2026-02-30T10:00:00Z', false],
    ['date-time', '2026-11-29T24:00:00Z', false],
    ['email', 'a@b', true],
    ['email', 'a b@c', false],
    ['email', `${'a'.repeat(250)}@b.cd`, false],
    ['uri', 'https://example.org/x', true],
    ['uri', 'javascript:alert(1)', true],
    ['uri', '/relative', false],
    ['uri', 'https://example.org/a b', false],
    ['unheard-of', 'anything', true],
  ])('%s of %s is %s', (format, value, expected) => {
    expect(hasFormat(format, value)).toBe(expected);
  });
});
