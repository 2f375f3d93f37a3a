/** Uploads over real HTTP, into a real folder. Sign-in with real keys is test/e2e/files.test.ts. */
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { openGate } from '../../../../server/auth/gate.ts';
import type { Caller } from '../../../../server/caller.ts';
import type { LimitsConfig } from '../../../../server/limits/config.ts';
import { FILE_NOT_FOUND_TEXT } from '../../../../server/files/files-door.ts';
import { createFront } from '../../../../server/front.ts';
import { openUploads, type Uploads } from '../../../../store/uploads.ts';
import { eventually } from '../../../support/eventually.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { atScopeEnd } from '../../../support/scope.ts';
import { testCaller } from '../../../support/test-caller.ts';
import { createTestServing } from '../../../support/test-front.ts';

const DAY_MS = 86_400_000;
const OWNER = testCaller('a'.repeat(32));
const OTHER = testCaller('b'.repeat(32));
const PDF = Buffer.from('%PDF-1.7\nnot much\n');
const UNKNOWN = 'A'.repeat(22);

let blobDir: string;
let uploads: Uploads;
let origin: string;
beforeEach(async () => {
  blobDir = await temporaryFolder();
  uploads = openUploads(blobDir, 7 * DAY_MS);
  origin = await startFront();
});

async function startFront({
  caller = OWNER,
  limits = {},
}: { readonly caller?: Caller; readonly limits?: Partial<LimitsConfig> } = {}): Promise<string> {
  const { parts } = createTestServing({ limits });
  const front = createFront({ ...parts, gate: openGate(caller), uploads });
  atScopeEnd(() => front.drain());
  return new URL(await front.listen()).origin;
}

interface Sent {
  readonly body?: Uint8Array | string;
  readonly type?: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly at?: string;
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: WireUpload & { readonly error?: { code: number; message: string }; readonly files?: WireUpload[] };
}
type WireUpload = Readonly<Record<'fileId' | 'name' | 'expiresAt', string>>;

async function upload({
  body = PDF,
  type = 'application/pdf',
  query = '?name=a.pdf',
  headers,
  at = origin,
}: Sent = {}): Promise<Answer> {
  const bytes = typeof body === 'string' ? body : new Uint8Array(body);
  const sent = { 'content-type': type, ...headers };
  return answerOf(await fetch(`${at}/files${query}`, { method: 'POST', headers: sent, body: bytes }));
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const body = (text === '' ? {} : JSON.parse(text)) as Answer['body'];
  return { status: response.status, body, headers: response.headers };
}

async function send(method: string, path: string, at = origin): Promise<Answer> {
  return answerOf(await fetch(`${at}${path}`, { method }));
}

describe('POST /files', () => {
  it('keeps the bytes under an id, and says what it has kept', async () => {
    const before = Date.now();
    const { status, body } = await upload({ query: `?name=${encodeURIComponent('Rechnung März.pdf')}` });
    expect([status, body]).toEqual([
      201,
      {
        fileId: expect.stringMatching(/^[A-Za-z0-9_-]{22}$/),
        name: 'Rechnung März.pdf',
        mimeType: 'application/pdf',
        bytes: PDF.length,
        sha256: createHash('sha256').update(PDF).digest('hex'),
        expiresAt: expect.any(String),
      },
    ]);
    expect(Date.parse(body.expiresAt) - before - 7 * DAY_MS).toBeLessThan(60_000);
    const found = await uploads.read(OWNER.principal, body.fileId);
    expect(found?.bytes).toEqual(PDF);
  });

  it.each([
    ['no name', ''],
    ['an empty one', '?name='],
    ['a folder', '?name=..%2Fa.pdf'],
    ['a folder of Windows', '?name=..%5Ca.pdf'],
    ['a control character', '?name=a%0d%0a.pdf'],
    ['text that runs the other way', '?name=a%E2%80%AEfdp.exe'],
    ['dots alone', '?name=..'],
    ['two of them', '?name=a.pdf&name=b.pdf'],
    ['one that is too long', `?name=${'ä'.repeat(128)}`],
    ['no UTF-8', '?name=%ff.pdf'],
  ])('refuses a name: %s', async (_, query) => {
    const { status, body } = await upload({ query });
    expect([status, body.error?.message]).toEqual([400, expect.stringMatching(/^Name the file in the query, once/)]);
    expect(await uploads.list(OWNER.principal)).toEqual([]);
  });

  it.each([
    ['another type', 'application/json', PDF, /^Send one of these as Content-Type: application\/pdf, text\/csv/],
    ['another charset', 'text/csv; charset=latin1', 'a;b', /^Send one of these as Content-Type/],
    [
      'a PDF that is a ZIP',
      'application/pdf',
      'PK\u0003\u0004',
      /not application\/pdf: its content is application\/zip/,
    ],
    ['a ZIP that is a PDF', 'application/zip', PDF, /not application\/zip: its content is application\/pdf/],
    ['a CSV that is a PDF', 'text/csv', PDF, /not text\/csv: its content is application\/pdf/],
    ['a PDF that is text', 'application/pdf', 'a,b\n', /not application\/pdf: its content is text\/csv/],
    ['a CSV in Latin-1', 'text/csv', Buffer.from('Stra\u00dfe', 'latin1'), /not text in UTF-8/],
    ['a CSV in UTF-16', 'text/csv', Buffer.from('\ufeffa,b', 'utf16le'), /not text in UTF-8/],
    ['a PDF that is nothing', 'application/pdf', Buffer.from([0, 1, 2]), /its content is something else/],
  ])('refuses by content, whatever the name says: %s', async (_, type, body, text) => {
    const answer = await upload({ type, body });
    expect([answer.status, answer.body.error?.message]).toEqual([415, expect.stringMatching(text)]);
    expect(await uploads.list(OWNER.principal)).toEqual([]);
  });

  it.each([
    ['text/csv; charset=utf-8', '\ufeffa;b\n'],
    ['application/zip', 'PK\u0005\u0006'],
    ['application/pdf', '\n\n%PDF-1.4'],
  ])('takes %s', async (type, body) => {
    expect((await upload({ type, body })).status).toBe(201);
  });

  it('refuses an empty file and a compressed one', async () => {
    expect((await upload({ body: '' })).status).toBe(400);
    expect((await upload({ headers: { 'content-encoding': 'gzip' } })).status).toBe(415);
  });

  it('refuses what is too large by what it declares, and by what comes', async () => {
    const at = await startFront({ limits: { uploadBytes: 1_000 } });
    const body = Buffer.concat([PDF, Buffer.alloc(1_000)]);
    const declared = await upload({ at, body });
    expect([declared.status, declared.body.error?.message]).toEqual([413, 'The file is larger than 1000 bytes.']);
    const response = await fetch(`${at}/files?name=a.pdf`, {
      method: 'POST',
      headers: { 'content-type': 'application/pdf' },
      body: new ReadableStream({
        start(controller) {
          controller.enqueue(body);
          controller.close();
        },
      }),
      duplex: 'half',
    });
    expect(response.status).toBe(413);
    expect((await upload({ at, body: PDF })).status).toBe(201);
  });

  it('keeps so many of a caller, and no more of those that come at once', async () => {
    const at = await startFront({ limits: { uploads: 2 } });
    await upload({ at });
    const both = await Promise.all([upload({ at }), upload({ at })]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 429]);
    const { status, body } = await upload({ at });
    expect([status, body.error?.code, body.error?.message]).toEqual([
      429,
      -31007,
      expect.stringMatching(/^Too many files/),
    ]);
    const other = await startFront({ caller: OTHER, limits: { uploads: 2 } });
    expect((await upload({ at: other })).status).toBe(201);
  });

  it('keeps so many bytes of a caller', async () => {
    const at = await startFront({ limits: { uploadedBytes: PDF.length * 2 } });
    expect((await upload({ at })).status).toBe(201);
    expect((await upload({ at, body: Buffer.concat([PDF, PDF]) })).status).toBe(429);
    expect((await upload({ at })).status).toBe(201);
  });

  it('counts as a call', async () => {
    const at = await startFront({ limits: { callsPerMinute: 1 } });
    expect((await upload({ at })).status).toBe(201);
    const { status, body, headers } = await upload({ at });
    expect([status, body.error?.code]).toEqual([429, -31003]);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('keeps nothing of a sender that leaves half-way, and lets one caller hold only some of the room', async () => {
    const held = [sendHalf(), sendHalf()];
    await eventually(async () => {
      const { status, body } = await upload();
      expect([status, body.error?.code]).toEqual([503, -32603]);
    });
    const other = await startFront({ caller: OTHER });
    expect((await upload({ at: other })).status).toBe(201);
    for (const socket of held) socket.destroy();
    await eventually(async () => (await upload()).status === 201);
    expect(await uploads.list(OWNER.principal)).toHaveLength(1);
  });

  it('refuses strangers: another Host, another Origin', async () => {
    const strange = await upload({ headers: { origin: 'https://evil.example' } });
    expect(strange.status).toBe(403);
  });
});

function sendHalf(): Socket {
  const { hostname, port, host } = new URL(origin);
  const socket = connect(Number(port), hostname);
  atScopeEnd(async () => void socket.destroy());
  socket.on('error', () => undefined);
  const lines = [`Host: ${host}`, 'Content-Type: application/pdf', `Content-Length: ${String(PDF.length)}`];
  socket.write(['POST /files?name=slow.pdf HTTP/1.1', ...lines, '', PDF.toString().slice(0, -1)].join('\r\n'));
  return socket;
}

describe('GET and DELETE', () => {
  it('list what the caller has, and forget one of it', async () => {
    const first = (await upload({ query: '?name=1.pdf' })).body;
    const second = (await upload({ query: '?name=2.pdf' })).body;
    const listed = await send('GET', '/files');
    expect([listed.status, new Set(listed.body.files)]).toEqual([200, new Set([first, second])]);
    const gone = await send('DELETE', `/files/${first.fileId}`);
    expect([gone.status, gone.body]).toEqual([204, {}]);
    expect((await send('GET', '/files')).body).toEqual({ files: [second] });
    expect(await readdir(`${blobDir}/uploads/${OWNER.principal}`)).toEqual([second.fileId]);
  });

  it('answer the same for what is unknown, malformed, forgotten, and another caller’s', async () => {
    const { fileId } = (await upload()).body;
    const other = await startFront({ caller: OTHER });
    const forgotten = (await upload()).body.fileId;
    await send('DELETE', `/files/${forgotten}`);
    const answers = [
      await send('DELETE', `/files/${fileId}`, other),
      await send('DELETE', `/files/${UNKNOWN}`),
      await send('DELETE', '/files/..%2F..'),
      await send('DELETE', `/files/${forgotten}`),
      await send('DELETE', '/files/'),
    ];
    expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body])))).toEqual(
      new Set([JSON.stringify([404, { jsonrpc: '2.0', error: { code: -32600, message: FILE_NOT_FOUND_TEXT } }])]),
    );
    expect((await send('GET', '/files', other)).body).toEqual({ files: [] });
    expect(await uploads.read(OTHER.principal, fileId)).toBeUndefined();
    expect(await uploads.read(OWNER.principal, fileId)).toBeDefined();
  });

  it('know a caller’s files by the former key too: they take their room, are listed and can be forgotten', async () => {
    const { body: before } = await upload();
    const caller = { ...OTHER, formerPrincipal: OWNER.principal };
    const at = await startFront({ caller, limits: { uploads: 1 } });
    expect((await send('GET', '/files', at)).body).toEqual({ files: [before] });
    expect((await upload({ at })).status).toBe(429);
    expect((await send('DELETE', `/files/${before.fileId}`, at)).status).toBe(204);
    expect((await upload({ at })).status).toBe(201);
    expect(await uploads.list(OWNER.principal)).toEqual([]);
  });

  it('take no other method', async () => {
    const put = await send('PUT', '/files');
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, POST, OPTIONS']);
    const get = await send('GET', `/files/${UNKNOWN}`);
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'DELETE, OPTIONS']);
    const preflight = await send('OPTIONS', '/files');
    expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([
      204,
      'GET, POST, DELETE',
    ]);
  });
});
