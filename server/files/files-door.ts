/**
 * `/files`: what a caller brings along for tools to read. Order, the first failure answers: who asks, path and method, scope, rate,
 * name and type, room; then size and content as the bytes come.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { BlobStoreError } from '../../store/blobs.ts';
import type { Upload, Uploads } from '../../store/uploads.ts';
import type { Gate } from '../auth/gate.ts';
import { signedInCaller } from '../auth/signed-in-caller.ts';
import { READ_SCOPE, WRITE_SCOPE } from '../auth/scopes.ts';
import { BodyBudget } from '../body-budget.ts';
import { principalsOf, type Caller } from '../caller.ts';
import { preflightHeaders } from '../host-guard.ts';
import type { Limits } from '../limits/limits.ts';
import type { LimitsConfig } from '../limits/config.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { refuseCutOff } from '../read-body.ts';
import { INVALID_REQUEST, refuse, sendRefusal, type Refusal } from '../refusal.ts';
import { INTERNAL_ERROR } from '../../protocol/extension.ts';
import { createTakeUpload, type TakenUpload } from './take-upload.ts';

const FILES_METHODS = 'GET, POST, DELETE';
/** The same words for unknown, malformed, expired and foreign ids. */
export const FILE_NOT_FOUND_TEXT =
  'No such file. The fileId is unknown or has expired, or the file belongs to another caller. Upload it again.';
const UNAVAILABLE_TEXT = 'The server cannot reach its files at the moment. Try again in a few seconds.';

export interface FilesParts {
  readonly uploads: Uploads;
  readonly gate: Pick<Gate, 'signIn' | 'refuseWithout'>;
  readonly limits: Pick<Limits, 'refuseRequest'>;
  readonly limitsConfig: Pick<LimitsConfig, 'uploadBytes' | 'uploads' | 'uploadedBytes'>;
  readonly metrics: Pick<Metrics, 'countRefusal' | 'countSignInFailure'>;
  readonly log: Pick<Log, 'error'>;
}

/** Of a request whose `Host` and `Origin` are known. */
export type FilesDoor = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Uploads of the largest size that a front reads at once. */
const LARGE_AT_ONCE = 3;

export function isFilesPath(path: string): boolean {
  return path === '/files' || path.startsWith('/files/');
}

type Answer =
  | { readonly status: number; readonly body?: unknown }
  | Extract<TakenUpload, { readonly refusal: Refusal }>;

export function createFilesDoor(parts: FilesParts): FilesDoor {
  const { uploads, gate, limits, limitsConfig, metrics, log } = parts;
  const budget = new BodyBudget(LARGE_AT_ONCE * limitsConfig.uploadBytes, () => metrics.countRefusal('body_bytes'));
  const takeUpload = createTakeUpload({ uploads, limits: limitsConfig, budget, metrics });

  async function refuseRequest(caller: Caller, isRead: boolean): Promise<Refusal | undefined> {
    const ungranted = gate.refuseWithout(caller, [isRead ? READ_SCOPE : WRITE_SCOPE]);
    if (ungranted !== undefined) return ungranted;
    const over = await limits.refuseRequest(caller, isRead ? 'poll' : 'call');
    return over && refuse(429, over.code, over.text, { headers: { 'retry-after': String(over.retryAfterSeconds) } });
  }

  async function answer(caller: Caller, request: IncomingMessage): Promise<Answer | { readonly isGone: true }> {
    const [path = '', query = ''] = (request.url ?? '').split('?');
    const fileId = path === '/files' ? undefined : path.slice('/files/'.length);
    const allow = fileId === undefined ? 'GET, POST, OPTIONS' : 'DELETE, OPTIONS';
    if (!allow.split(', ').includes(request.method ?? '')) {
      const text = `Send one of these methods here: ${allow}.`;
      return { refusal: refuse(405, INVALID_REQUEST, text, { headers: { allow } }), isCutOff: true };
    }
    const refusal = await refuseRequest(caller, request.method === 'GET');
    if (refusal !== undefined) return { refusal, isCutOff: true };
    if (fileId !== undefined) return forget(caller, fileId);
    if (request.method === 'GET') return { status: 200, body: { files: (await filesOf(caller)).map(toWire) } };
    const taken = await takeUpload(caller, request, new URLSearchParams(query));
    return 'upload' in taken ? { status: 201, body: toWire(taken.upload) } : taken;
  }

  async function filesOf(caller: Caller): Promise<readonly Upload[]> {
    return (await Promise.all(principalsOf(caller).map((principal) => uploads.list(principal)))).flat();
  }

  async function forget(caller: Caller, fileId: string): Promise<Answer> {
    for (const principal of principalsOf(caller)) {
      if (await uploads.drop(principal, fileId)) return { status: 204 };
    }
    return { refusal: refuse(404, INVALID_REQUEST, FILE_NOT_FOUND_TEXT) };
  }

  return async (request, response) => {
    if (request.method === 'OPTIONS') {
      response.writeHead(204, preflightHeaders(request, FILES_METHODS)).end();
      return;
    }
    const caller = await signedInCaller(parts, request, response);
    if (caller === undefined) return;
    const answered = await answer(caller, request).catch((error: unknown): Answer => {
      if (!(error instanceof BlobStoreError)) throw error;
      log.error({ err: error }, 'an upload met a blob folder out of reach');
      return { refusal: refuse(503, INTERNAL_ERROR, UNAVAILABLE_TEXT, { headers: { 'retry-after': '5' } }) };
    });
    if ('isGone' in answered) return;
    if ('status' in answered) send(response, answered);
    else if (answered.isCutOff === true && request.method === 'POST') {
      await refuseCutOff(request, response, answered.refusal);
    } else sendRefusal(response, answered.refusal);
  };
}

function send(response: ServerResponse, { status, body }: { readonly status: number; readonly body?: unknown }): void {
  const headers = {
    'cache-control': 'no-store',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  response.writeHead(status, headers).end(body === undefined ? undefined : JSON.stringify(body));
}

function toWire({ expiresAt, ...upload }: Upload): unknown {
  return { ...upload, expiresAt: new Date(expiresAt).toISOString() };
}
