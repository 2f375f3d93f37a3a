/** The README's table of errors against the code, both ways: nothing is missing there, and nothing is made up. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server';
import * as extension from '../../protocol/extension.ts';
import * as refusals from '../../server/refusal.ts';
import { read, sourceFiles } from '../architecture/tree.ts';
import type { McpRequest } from '../support/mcp-request.ts';
import { startTestFront, type TestFront } from '../support/test-front.ts';

/** Text and code of each row. */
const rows = [
  ...read('README.md').matchAll(/^\| `([^`]+)` +\| ((?:-3\d{4}|status message|tool error)[^|]*?) +\|/gm),
].map(([, text, code]) => ({ text: text!, code: code! }));
/** Texts that are put together over several lines are read as one. */
const source = sourceFiles.map((file) => read(file).replaceAll(/['`] \+\s+['`]/g, '')).join('\n');

const UNSUPPORTED_VERSION = '2001-01-01';
/** Requests that the SDK refuses, by the text that it answers with. */
const OF_THE_SDK: Readonly<Record<string, McpRequest>> = {
  'the request headers and body disagree': { method: 'tools/list', headers: { 'mcp-method': 'tools/call' } },
  'Unsupported protocol version': {
    method: 'tools/list',
    headers: { 'mcp-protocol-version': UNSUPPORTED_VERSION },
    meta: { [PROTOCOL_VERSION_META_KEY]: UNSUPPORTED_VERSION },
  },
  'Method not found': { method: 'no/such/method' },
};

let front: TestFront;
beforeAll(async () => {
  front = await startTestFront();
});
afterAll(async () => front.front.drain());

function sorted(found: Iterable<string | undefined>): readonly string[] {
  return [...new Set(found)].filter((item) => item !== undefined).toSorted();
}

function inTable(pattern: RegExp): readonly string[] {
  return sorted(rows.map(({ code }) => pattern.exec(code)?.[1]));
}

describe('the table of errors', () => {
  it('has the texts of the code', () => {
    const ours = rows.filter(({ text }) => !Object.hasOwn(OF_THE_SDK, text));
    expect(ours.length).toBeGreaterThan(15);
    expect(ours.filter(({ text }) => !source.includes(text))).toEqual([]);
  });

  it.each(Object.entries(OF_THE_SDK))('has of the SDK what it sends: %s', async (text, request) => {
    const { status, body } = await front.post(request);
    expect(body.error?.message).toContain(text);
    expect(rows).toContainEqual({ text, code: `${String(body.error?.code)}, HTTP ${String(status)}` });
  });

  it('has every code that the server knows, and no other', () => {
    const ours = Object.values({ ...extension, ...refusals }).filter((value) => typeof value === 'number');
    const UNSUPPORTED_VERSION_CODE = -32022;
    expect(inTable(/^(-\d+)/)).toEqual(sorted([...ours, UNSUPPORTED_VERSION_CODE].map(String)));
  });

  it('has every HTTP status that a request is refused with, and no other', () => {
    const ours = [...source.matchAll(/\b(?:refuse|challenged)\(\s*(\d{3})\b|\bstatus: (\d{3}), code\b/g)].map(
      ([, a, b]) => a ?? b,
    );
    const METHOD_NOT_FOUND_STATUS = '404';
    expect(inTable(/HTTP (\d{3})/)).toEqual(sorted([...ours, METHOD_NOT_FOUND_STATUS]));
  });
});
