import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { defaultPayloadConverter } from '@temporalio/common';
import { newKeyRingText, parseKeyRing } from '../../../encryption/key-ring.ts';
import { createPayloadCodecs } from '../../../encryption/payload-codec.ts';
import { startTestFront, type TestFront } from '../../support/test-front.ts';

const TOKEN = 't'.repeat(43);
const BEARER = { authorization: `Bearer ${TOKEN}` };
const keyRing = parseKeyRing(newKeyRingText());

let front: TestFront;
beforeEach(async () => {
  front = await startTestFront({ encryption: { keyRing, codecToken: TOKEN } });
});
afterEach(() => front.front.drain());

interface Wire {
  readonly metadata: Readonly<Record<string, string>>;
  readonly data: string;
}

/** As Temporal's own `proto3` JSON. */
async function encrypted(value: unknown, ring = keyRing): Promise<Wire> {
  const [payload] = await createPayloadCodecs(ring)[0]!.encode([defaultPayloadConverter.toPayload(value)]);
  const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
  const metadata = Object.entries(payload?.metadata ?? {}).map(([name, bytes]) => [name, base64(bytes)]);
  return { metadata: Object.fromEntries(metadata) as Record<string, string>, data: base64(payload!.data!) };
}

function send(path: string, body: unknown, headers: Record<string, string> = BEARER): Promise<Response> {
  return fetch(front.origin + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

async function valuesOf(response: Response): Promise<unknown[]> {
  const { payloads } = (await response.json()) as { payloads: Wire[] };
  return payloads.map(({ data }) => JSON.parse(Buffer.from(data, 'base64').toString()) as unknown);
}

describe('/codec/decode', () => {
  it.each([
    ['the token as a bearer', BEARER],
    ['the cookie of the door to the UI', { cookie: `theme=dark; mcp_codec=${TOKEN}` }],
  ])('gives clear text for %s', async (_what, headers) => {
    const response = await send('/codec/decode', { payloads: [await encrypted({ vendor: 'Söhne' })] }, headers);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await valuesOf(response)).toEqual([{ vendor: 'Söhne' }]);
  });

  it('gives back what is in clear already, with its metadata, in order', async () => {
    const plain = { metadata: { encoding: 'anNvbi9wbGFpbg==' }, data: Buffer.from('1').toString('base64') };
    const response = await send('/codec/decode', { payloads: [plain, await encrypted(2)] });
    const { payloads } = (await response.json()) as { payloads: Wire[] };
    expect(payloads[0]).toEqual(plain);
    expect(payloads[1]).toEqual({ ...plain, data: Buffer.from('2').toString('base64') });
  });

  it.each([
    ['no token', {}],
    ['a wrong bearer', { authorization: `Bearer ${TOKEN.slice(1)}x` }],
    ['a wrong cookie', { cookie: `mcp_codec=${'x'.repeat(43)}` }],
    ['a cookie of another name', { cookie: `not_mcp_codec=${TOKEN}` }],
    ['an empty bearer', { authorization: 'Bearer ' }],
  ])('shows nothing for %s', async (_what, headers) => {
    const response = await send('/codec/decode', { payloads: [await encrypted('secret')] }, headers);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(await response.text()).toBe('Show the codec token: it stands in the data folder of this server.');
  });

  it('takes no token from the query', async () => {
    expect((await send(`/codec/decode?token=${TOKEN}&mcp_codec=${TOKEN}`, { payloads: [] }, {})).status).toBe(401);
  });

  it('lets no page of another origin read an answer, and answers no preflight', async () => {
    const headers = { ...BEARER, origin: 'http://127.0.0.1:5173' };
    const response = await send('/codec/decode', { payloads: [] }, headers);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    const asked = { origin: headers.origin, 'access-control-request-method': 'POST' };
    const preflight = await fetch(`${front.origin}/codec/decode`, { method: 'OPTIONS', headers: asked });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([401, null]);
  });

  it('refuses a page of a stranger', async () => {
    expect((await send('/codec/decode', { payloads: [] }, { ...BEARER, origin: 'https://evil.test' })).status).toBe(
      403,
    );
  });

  it('stops listening to whoever shows ten wrong tokens in a minute, also when the next one is right', async () => {
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 11; attempt += 1) {
      const headers = { authorization: `Bearer ${String(attempt).repeat(43)}` };
      statuses.push((await send('/codec/decode', { payloads: [] }, headers)).status);
    }
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429]);
    const response = await send('/codec/decode', { payloads: [] });
    expect(response.status).toBe(429);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('does not count who shows none', async () => {
    for (let attempt = 0; attempt < 12; attempt += 1) await send('/codec/decode', { payloads: [] }, {});
    expect((await send('/codec/decode', { payloads: [] })).status).toBe(200);
  });

  it.each([
    '',
    'null',
    '[]',
    '{}',
    '{"payloads":{}}',
    '{"payloads":[{"data":"not base64!"}]}',
    '{"payloads":[{"metadata":1}]}',
  ])('refuses the body %j and says what to send', async (body) => {
    const response = await send('/codec/decode', body);
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('{ "payloads": [')]);
  });

  it('names the key of a payload that it cannot open', async () => {
    const other = parseKeyRing(newKeyRingText());
    const response = await send('/codec/decode', { payloads: [await encrypted('secret', other)] });
    expect(response.status).toBe(422);
    expect(await response.text()).toContain(`under the key "${other.newest.id}"`);
  });

  it('refuses a body above its limit, and one that is no JSON', async () => {
    const large = JSON.stringify({ payloads: [{ data: 'A'.repeat(5 * 1024 * 1024) }] });
    expect((await send('/codec/decode', large)).status).toBe(413);
    expect((await send('/codec/decode', '{}', { ...BEARER, 'content-type': 'text/plain' })).status).toBe(415);
  });

  it('is read by POST only', async () => {
    expect((await fetch(`${front.origin}/codec/decode`, { headers: BEARER })).status).toBe(405);
  });
});

describe('/codec/encode', () => {
  it('writes nothing under our key, for whoever asks', async () => {
    const response = await send('/codec/encode', { payloads: [{ metadata: {}, data: '' }] });
    expect([response.status, await response.text()]).toEqual([403, 'This endpoint only decodes.']);
    expect((await send('/codec/encode', { payloads: [] }, {})).status).toBe(401);
  });
});

describe('without encryption', () => {
  it('there is no codec endpoint', async () => {
    const plain = await startTestFront();
    const response = await fetch(`${plain.origin}/codec/decode`, { headers: BEARER });
    await plain.front.drain();
    expect(response.status).toBe(404);
  });
});
