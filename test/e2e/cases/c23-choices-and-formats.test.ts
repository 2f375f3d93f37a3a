/**
 * C23: choices, lists of choices and formats. The value of an option counts and not its title, counts and members are
 * held to the form, a date exists. What the server asks stays in the subset that every client may rely on.
 *
 * Every form of the builders: test/unit/protocol/form.test.ts. Every field against an independent judge, so that what may go
 * either way goes one way everywhere: test/property/answer-check.property.test.ts.
 */
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject, JsonValue } from '../../../protocol/task.ts';
import { createTaskClient, questionsOf, type TaskClient } from '../../support/task-client.ts';
import { verifies } from '../../support/verifies.ts';
import { openCaseServer } from './support/case-server.ts';
import { verdictOn, type Verdict } from './support/raw-answer.ts';

const ENDS_WITHIN_MS = 20_000;

let origin = '';
let client: TaskClient;

beforeAll(async () => {
  const server = await openCaseServer();
  const [front] = await Promise.all([server.startFront(), server.startWorker()]);
  origin = front.url;
  client = createTaskClient(origin);
}, 60_000);

const accept = (form: string, content: JsonObject): Promise<Verdict> =>
  verdictOn(client, origin, form, JSON.stringify({ action: 'accept', content }));
const taken = (content: JsonObject): Verdict => ({ taken: { action: 'accept', content } });
const askedAgain = (reason: string): Verdict => ({
  askedAgain: `The last answer could not be used: ${reason}. Fill this in.`,
});

describe('one of several', () => {
  it.each(['A', 'B'])('is taken by its value: %s', async (one) => {
    expect(await accept('choices', { one })).toEqual(taken({ one }));
  });

  it.each<[JsonValue, string]>([
    ['Alpha', 'one must be one of A, B'],
    ['a', 'one must be one of A, B'],
    ['A ', 'one must be one of A, B'],
    [['A'], 'one must be a string'],
    [null, 'one must be a string'],
  ])('is refused as %j', async (one, reason) => {
    expect(await accept('choices', { one })).toEqual(askedAgain(reason));
  });
});

describe('some of several', () => {
  it.each<[readonly string[], readonly string[]]>([
    [['a'], ['a']],
    [
      ['a', 'c'],
      ['a', 'c'],
    ],
    [['a', 'a'], ['a']],
  ])('are taken: %j', async (some, kept) => {
    expect(await accept('choices', { some })).toEqual(taken({ some: kept }));
  });

  it.each<[JsonValue, string]>([
    [[], 'some needs at least 1 of them'],
    [['a', 'b', 'c'], 'some allows at most 2 of them'],
    [['a', 'zz'], 'some may hold only a, b, c'],
    [['Alpha'], 'some may hold only a, b, c'],
    [['a', 1], 'some must hold strings only'],
    ['a', 'some must be a list'],
    ['a,b', 'some must be a list'],
  ])('are refused as %j', async (some, reason) => {
    expect(await accept('choices', { some })).toEqual(askedAgain(reason));
  });
});

describe('a format', () => {
  it.each<[JsonObject]>([
    [{ day: '2028-02-29' }],
    [{ at: '2026-11-29T10:00:00Z' }],
    [{ at: '2026-11-29T10:00:00+01:00' }],
    [{ mail: 'ada@example.test' }],
    // Legal URIs, both: whoever opens one limits the scheme.
    [{ page: 'https://example.test/x' }],
    [{ page: 'javascript:alert(1)' }],
  ])('is taken: %j', async (content) => {
    expect(await accept('formats', content)).toEqual(taken(content));
  });

  it.each<[JsonObject, string]>([
    [{ day: '2026-02-30' }, 'day must be a valid date'],
    [{ day: '2026-11-29T10:00:00Z' }, 'day must be a valid date'],
    [{ day: '29.11.2026' }, 'day must be a valid date'],
    [{ at: '2026-11-29T10:00:00' }, 'at must be a valid date-time'],
    [{ at: '2026-02-30T10:00:00Z' }, 'at must be a valid date-time'],
    [{ mail: 'nobody' }, 'mail must be a valid email'],
    [{ page: '/relative' }, 'page must be a valid uri'],
  ])('is refused: %j', async (content, reason) => {
    expect(await accept('formats', content)).toEqual(askedAgain(reason));
  });
});

describe('what is asked', () => {
  const KEYWORDS = {
    string: ['type', 'title', 'description', 'minLength', 'maxLength', 'format', 'enum', 'oneOf', 'default'],
    number: ['type', 'title', 'description', 'minimum', 'maximum', 'default'],
    integer: ['type', 'title', 'description', 'minimum', 'maximum', 'default'],
    boolean: ['type', 'title', 'description', 'default'],
    array: ['type', 'title', 'description', 'minItems', 'maxItems', 'items', 'default'],
  };
  const FORMATS = [undefined, 'email', 'uri', 'date', 'date-time'];

  it('is a flat form of primitives, in words that a strict validator knows', async () => {
    verifies('elicit.schema');
    for (const form of ['approve', 'numbers', 'choices', 'formats', 'note']) {
      const taskId = await client.create('ask_form', { form });
      const asked = questionsOf(await client.until(taskId, ['input_required'], ENDS_WITHIN_MS));
      const [request] = Object.values(asked);
      const { type, properties, required, ...more } = request?.params['requestedSchema'] as JsonObject;
      expect([type, more]).toEqual(['object', {}]);
      for (const [name, rules] of Object.entries(properties as Record<string, JsonObject>)) {
        const allowed: readonly string[] = KEYWORDS[rules['type'] as keyof typeof KEYWORDS];
        expect({ name, unknown: Object.keys(rules).filter((word) => !allowed.includes(word)) }).toEqual({
          name,
          unknown: [],
        });
        expect(FORMATS).toContain(rules['format']);
      }
      expect(Object.keys(properties as JsonObject)).toEqual(expect.arrayContaining((required ?? []) as string[]));
      await client.cancel(taskId);
    }
  });
});
