import { describe, expect, it } from '@jest/globals';
import { defaultPayloadConverter, type Payload, type PayloadCodec } from '@temporalio/common';
import { parseKeyRing } from '../../../encryption/key-ring.ts';
import { createPayloadCodecs } from '../../../encryption/payload-codec.ts';

const key = (id: string, byte = id): string => `${id}:${Buffer.alloc(32, byte).toString('base64')}`;

function codecOf(...keys: readonly string[]): PayloadCodec {
  return createPayloadCodecs(parseKeyRing(keys.join()))[0]!;
}

const codec = codecOf(key('new'), key('old'));
const SECRET = 'Rechner & Söhne';
const payload = defaultPayloadConverter.toPayload({ vendor: SECRET });

async function encoded(by = codec): Promise<Payload> {
  const [only] = await by.encode([payload]);
  return only!;
}

async function valueOf(written: Payload, by = codec): Promise<unknown> {
  const [read] = await by.decode([written]);
  return defaultPayloadConverter.fromPayload(read!);
}

const textOf = (bytes: Uint8Array | null | undefined): string => Buffer.from(bytes ?? []).toString();

describe('the payload codec', () => {
  it.each([
    { vendor: SECRET },
    'text',
    '',
    null,
    undefined,
    0,
    new Uint8Array([0, 255]),
    { list: ['x'.repeat(300_000)] },
  ])('gives back %p', async (value) => {
    const [written] = await codec.encode([defaultPayloadConverter.toPayload(value)]);
    expect(await valueOf(written!)).toEqual(value);
  });

  it('keeps order and number, also of none', async () => {
    const values = [1, 'two', [3]];
    const written = await codec.encode(values.map((value) => defaultPayloadConverter.toPayload(value)));
    const read = await codec.decode(written);
    expect(read.map((one) => defaultPayloadConverter.fromPayload(one))).toEqual(values);
    expect(await codec.encode([])).toEqual([]);
  });

  it.each([Buffer.from('json/plain'), new TextEncoder().encode('json/plain')])(
    'takes metadata as a view of whatever kind: %p',
    async (encoding) => {
      const [written] = await codec.encode([{ metadata: { encoding }, data: Buffer.from('"text"') }]);
      expect(await valueOf(written!)).toBe('text');
    },
  );

  it('frames metadata anew each time, unless it is frozen', async () => {
    const metadata: Record<string, Uint8Array> = { encoding: Buffer.from('json/plain') };
    await codec.encode([{ metadata }]);
    metadata['note'] = Buffer.from('later');
    for (const given of [metadata, Object.freeze({ ...metadata }), metadata]) {
      const read = await codec.decode(await codec.encode([{ metadata: given, data: Buffer.from('"x"') }]));
      expect(textOf(read[0]?.metadata?.['note'])).toBe('later');
      expect(textOf(read[0]?.data)).toBe('"x"');
    }
  });

  it('shows the newest key id and the cipher, and nothing of the payload or its metadata', async () => {
    const { metadata, data } = await encoded();
    expect(Object.entries(metadata ?? {}).map(([name, value]) => [name, textOf(value)])).toEqual([
      ['encoding', 'binary/encrypted'],
      ['encryption-cipher', 'AES-256-GCM'],
      ['encryption-key-id', 'new'],
    ]);
    expect(textOf(data)).not.toMatch(/vendor|Rechner|json/);
  });

  it('never writes the same payload the same way', async () => {
    const written = await Promise.all(Array.from({ length: 100 }, () => encoded()));
    expect(new Set(written.map(({ data }) => textOf(data?.subarray(0, 12)))).size).toBe(100);
  });

  it('reads what an older key of the ring wrote', async () => {
    expect(await valueOf(await encoded(codecOf(key('old'))))).toEqual({ vendor: SECRET });
  });

  it('passes on what nobody encrypted', async () => {
    expect(await codec.decode([payload])).toEqual([payload]);
    expect(await codec.decode([{}])).toEqual([{}]);
  });

  it('names the key that it lacks', async () => {
    const written = await encoded(codecOf(key('elsewhere')));
    await expect(valueOf(written)).rejects.toThrow('under the key "elsewhere", which is not in ENCRYPTION_KEYS');
  });

  it('refuses a payload of another key of the same id', async () => {
    const written = await encoded(codecOf(key('new', 'x')));
    await expect(valueOf(written)).rejects.toThrow('The key "new" does not open a payload');
  });

  it('refuses a payload under the id of another key, although the bytes of the key are the same', async () => {
    const { metadata, data } = await encoded(codecOf(key('one', 'k')));
    const renamed = { metadata: { ...metadata, 'encryption-key-id': Buffer.from('two') }, data };
    await expect(valueOf(renamed, codecOf(key('two', 'k')))).rejects.toThrow('The key "two" does not open a payload');
  });

  it('refuses each changed byte, and each cut', async () => {
    const { metadata, data } = await encoded();
    const bytes = Buffer.from(data ?? []);
    const changed = [...bytes.keys()].map((at) =>
      Buffer.from(bytes.map((byte, index) => (index === at ? byte ^ 1 : byte))),
    );
    const cut = [...bytes.keys()].map((length) => bytes.subarray(0, length));
    const outcomes = await Promise.allSettled([...changed, ...cut].map((data) => valueOf({ metadata, data })));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toEqual([]);
  });
});

describe('without a key ring', () => {
  it('there is no codec', () => {
    expect(createPayloadCodecs(undefined)).toEqual([]);
  });
});
