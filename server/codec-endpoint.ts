/**
 * Clear text for the person at the Temporal UI and for `temporal --codec-endpoint`: what they hold is encrypted, and the
 * keys stay here. Whoever calls it shows the codec token, as a bearer or as the cookie that the door to the UI sets.
 *
 * It only decodes. Encoding would let whoever may read write payloads that look like ours, past every check of a front.
 * It allows no other origin: the UI reaches it through its own door, and no other page has any business here.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { z } from 'zod';
import type { Encryption } from '../encryption/config.ts';
import { createPayloadCodecs } from '../encryption/payload-codec.ts';
import type { BodyBudget } from './body-budget.ts';
import { addressGroup } from './limits/address-group.ts';
import type { Log } from './log.ts';
import { readBody, refuseCutOff } from './read-body.ts';

export const CODEC_PATH = '/codec/';
/** Set by `scripts/ui-door.js`. */
const COOKIE = 'mcp_codec';
/** Wrong tokens of one address (of IPv6: of one network), in a minute. */
const MAX_FAILURES = 10;
const FAILURE_WINDOW_S = 60;

export type CodecEndpoint = (path: string, request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** As `proto3` JSON has them: bytes are base64. */
const payloadsShape = z.object({
  payloads: z.array(
    z.object({
      metadata: z.record(z.string(), z.base64()).default({}),
      data: z.base64().default(''),
    }),
  ),
});
type WirePayload = z.infer<typeof payloadsShape>['payloads'][number];

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export function createCodecEndpoint({ keyRing, codecToken }: Encryption, bodies: BodyBudget, log: Log): CodecEndpoint {
  const codecs = createPayloadCodecs(keyRing);
  const failures = new RateLimiterMemory({ points: MAX_FAILURES, duration: FAILURE_WINDOW_S });

  async function refusalOf(path: string, request: IncomingMessage): Promise<Answer | undefined> {
    const address = addressGroup(request.socket.remoteAddress ?? '');
    const failed = await failures.get(address);
    if (failed !== null && failed.consumedPoints >= MAX_FAILURES) {
      const retryAfter = String(Math.ceil(failed.msBeforeNext / 1_000));
      return { status: 429, text: 'Too many wrong tokens. Wait.', headers: { 'retry-after': retryAfter } };
    }
    const shown = tokenOf(request);
    if (shown === undefined || !isSame(shown, codecToken)) {
      if (shown !== undefined) await failures.consume(address).catch(() => undefined);
      const headers = { 'www-authenticate': 'Bearer' };
      return { status: 401, text: 'Show the codec token: it stands in the data folder of this server.', headers };
    }
    if (path === `${CODEC_PATH}encode`) return { status: 403, text: 'This endpoint only decodes.' };
    if (path !== `${CODEC_PATH}decode`) return { status: 404, text: 'Not found' };
    return request.method === 'POST' ? undefined : { status: 405, text: 'Send requests as POST.' };
  }

  async function decoded(text: string): Promise<Answer> {
    const parsed = payloadsShape.safeParse(jsonOf(text));
    if (!parsed.success)
      return { status: 400, text: 'Send { "payloads": [{ "metadata": …, "data": … }] }, in base64.' };
    try {
      let payloads: BytesPayload[] = parsed.data.payloads.map(fromWire);
      for (const codec of codecs) payloads = await codec.decode(payloads);
      return { status: 200, text: JSON.stringify({ payloads: payloads.map(toWire) }) };
    } catch (error) {
      log.warn({ err: error }, 'a payload could not be decoded');
      return { status: 422, text: error instanceof Error ? error.message : 'A payload could not be decoded.' };
    }
  }

  return async (path, request, response) => {
    const refusal = await refusalOf(path, request);
    if (refusal !== undefined) {
      send(response, refusal);
      return;
    }
    const body = await readBody(request, bodies);
    if ('text' in body) send(response, await decoded(body.text));
    else if ('isGone' in body) return;
    else if (body.isCutOff === true) await refuseCutOff(request, response, body.refusal);
    else send(response, { status: body.refusal.status, text: body.refusal.message });
  };
}

function send(response: ServerResponse, { status, text, headers = {} }: Answer): void {
  const type = status === 200 ? 'application/json' : 'text/plain; charset=utf-8';
  response.writeHead(status, { ...headers, 'content-type': type, 'cache-control': 'no-store' }).end(text);
}

function tokenOf({ headers }: IncomingMessage): string | undefined {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  return bearer ?? new RegExp(`(?:^|; *)${COOKIE}=([^;]*)`).exec(headers.cookie ?? '')?.[1];
}

/** Digests, because lengths must be the same and must not tell anything. */
function isSame(shown: string, token: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(shown), digest(token));
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** A payload as Temporal's libraries hold it. */
interface BytesPayload {
  metadata?: Record<string, Uint8Array> | null;
  data?: Uint8Array | null;
}

function fromWire({ metadata, data }: WirePayload): BytesPayload {
  const entries = Object.entries(metadata).map(([name, value]) => [name, Buffer.from(value, 'base64')] as const);
  return { metadata: Object.fromEntries(entries), data: Buffer.from(data, 'base64') };
}

function toWire({ metadata, data }: BytesPayload): WirePayload {
  const entries = Object.entries(metadata ?? {}).map(([name, value]) => [name, base64Of(value)] as const);
  return { metadata: Object.fromEntries(entries), data: base64Of(data ?? new Uint8Array()) };
}

function base64Of(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
