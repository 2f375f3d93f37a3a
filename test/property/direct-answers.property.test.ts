import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createBothWays, readAsSent } from '../support/both-ways.ts';
import { envelope, TASKS_AND_FORMS, type McpRequest } from '../support/mcp-request.ts';

const METHODS = ['tasks/get', 'tasks/update', 'tasks/cancel'];
/** Node's parser lets no other through. */
const SENDABLE = /^$|^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/;

const text = fc.oneof(
  fc.constantFrom('', '=?base64?=', '=?base64?QQ==?=', '=?base64?QR==?=', '=?base64?77u/QQ==?=', '2026-07-28'),
  fc.string(),
);
const value = fc.oneof(text, fc.constantFrom(undefined, null, 0, 1.5, [], {}, { form: {} }), fc.jsonValue());
const faults = {
  header: fc.tuple(
    fc.constantFrom('mcp-protocol-version', 'mcp-method', 'mcp-name'),
    fc.option(text, { nil: undefined }),
  ),
  meta: fc.tuple(fc.constantFrom(...Object.keys(envelope()), 'progressToken', 'x'), value),
  capability: fc.tuple(fc.constantFrom('elicitation', 'sampling', 'roots', 'extensions', 'x'), value),
  param: fc.tuple(fc.constantFrom('taskId', 'inputResponses', 'requestState', 'x'), value),
  member: fc.tuple(fc.constantFrom('result', 'error', 'x'), value),
  name: text,
};
/** What differs from a request that is in order: in one place, or in several. */
const fault: fc.Arbitrary<Partial<Faults>> = fc.oneof(
  ...Object.entries(faults).map(([place, arbitrary]) => fc.record({ [place]: arbitrary as fc.Arbitrary<unknown> })),
  fc.record(faults, { requiredKeys: [] }),
);

interface Faults {
  readonly header: readonly [string, string | undefined];
  readonly meta: readonly [string, unknown];
  readonly capability: readonly [string, unknown];
  readonly param: readonly [string, unknown];
  readonly member: readonly [string, unknown];
  readonly name: string;
}

function pair(entry: readonly [string, unknown] | undefined): Record<string, never> {
  return (entry === undefined ? {} : { [entry[0]]: entry[1] }) as Record<string, never>;
}

describe('what is answered without the SDK', () => {
  it('is nothing that the SDK refuses or answers in other bytes', async () => {
    const ways = await createBothWays();
    const seen = { direct: 0, left: 0 };
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...METHODS), fault, async (method, changed) => {
        const { header, meta, capability, param, member, name = ways.taskId } = changed;
        const params = { taskId: name, inputResponses: {}, ...pair(param) };
        const capabilities = { ...TASKS_AND_FORMS, ...pair(capability) };
        const request: McpRequest = { method, params, capabilities, meta: pair(meta), headers: pair(header) };
        const sent = readAsSent(request, pair(member));
        fc.pre(sent !== undefined && Object.values(sent.headers).every((each) => SENDABLE.test(each)));
        const own = await ways.directly(sent);
        if (own !== undefined) expect(own).toEqual(await ways.bySdk(sent));
        seen[own === undefined ? 'left' : 'direct'] += 1;
      }),
      { numRuns: 500 },
    );
    expect(Math.min(seen.direct, seen.left)).toBeGreaterThan(50);
  });
});
