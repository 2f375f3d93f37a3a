/** What the ERP can be asked, and what its answers mean. It trusts no answer whose shape it does not know. */
import { z } from 'zod';
import { exchange, type Answer, type ExchangeOptions, type ExchangeOutcome } from './erp-exchange.ts';
import type { OrderDraft, PostedOrder } from './order-draft.ts';

/** What the ERP files: each under a number of its own, and under the reference of whoever sent it. */
export type Collection = 'orders' | 'invoices';

export interface ErpDocument {
  readonly reference: string;
}

/** How the ERP keeps a repeated post from making a second order; in `search-only` it does not. */
export type ErpMode = 'idempotency-key' | 'unique-reference' | 'search-only';

export interface OrderToPost extends OrderDraft, ErpDocument {
  readonly status: 'posted';
}

/**
 * `refused`: a business "no". `not-sent`: certainly not acted upon, whether or not it arrived. `unknown`: it may or may not
 * have been accepted. `duplicate`: the ERP has that of another reference, or of this one, under `number`.
 */
export type SendOutcome =
  | { readonly kind: 'accepted'; readonly order: PostedOrder }
  | { readonly kind: 'taken' | 'duplicate'; readonly number: string }
  | { readonly kind: 'refused' | 'not-sent' | 'unknown' };

/** `undefined`: the ERP did not answer, or not in words that are known. */
type Known<T> = Promise<T | undefined>;

export interface ErpClient {
  mode(signal?: AbortSignal): Known<ErpMode>;
  send(document: ErpDocument, how: { maySend?: () => boolean; signal?: AbortSignal }): Promise<SendOutcome>;
  /** What the ERP shows under a reference at this moment. */
  search(reference: string, signal?: AbortSignal): Known<readonly PostedOrder[]>;
  /** `absent`: there is no such document under this reference. */
  read(of: { number: string; reference: string }, signal?: AbortSignal): Known<PostedOrder | 'absent'>;
  void(number: string, signal?: AbortSignal): Known<'voided' | 'absent' | 'refused'>;
}

const READ_TIMEOUT_MS = 5_000;
const SEND_TIMEOUT_MS = 10_000;

const NUMBER_PATTERN = /^[A-Za-z0-9-]{1,40}$/;
const documentSchema = z.object({
  number: z.string().regex(NUMBER_PATTERN),
  reference: z.string(),
  status: z.enum(['posted', 'draft', 'voided']),
  acceptedAt: z.iso.datetime(),
});
const modeSchema = z.object({ mode: z.enum(['idempotency-key', 'unique-reference', 'search-only']) });
const takenSchema = z.object({ number: z.string().regex(NUMBER_PATTERN) });

const duplicateSchema = z.object({ duplicateOf: z.string().regex(NUMBER_PATTERN) });

export function createErpClient(baseUrl: string, collection: Collection = 'orders'): ErpClient {
  const listSchema = z.object({ [collection]: z.array(documentSchema) });
  async function read(path: string, signal: AbortSignal | undefined): Known<Answer> {
    const outcome = await ask({ method: 'GET', path, timeoutMs: READ_TIMEOUT_MS, signal });
    return outcome.kind === 'answer' ? outcome.answer : undefined;
  }
  const ask = (options: ExchangeOptions): Promise<ExchangeOutcome> => exchange(baseUrl, options);

  return {
    async mode(signal) {
      const answer = await read('/capabilities', signal);
      return answer?.status === 200 ? modeSchema.safeParse(answer.body).data?.mode : undefined;
    },

    async send(document, { maySend, signal }) {
      const outcome = await ask({
        method: 'POST',
        path: `/${collection}`,
        body: document,
        idempotencyKey: document.reference,
        timeoutMs: SEND_TIMEOUT_MS,
        maySend,
        signal,
      });
      if (outcome.kind === 'answer') return sendOutcomeOf(outcome.answer, document.reference);
      return { kind: outcome.kind === 'not-sent' ? 'not-sent' : 'unknown' };
    },

    async search(reference, signal) {
      const answer = await read(`/${collection}?reference=${encodeURIComponent(reference)}`, signal);
      const found = answer?.status === 200 ? listSchema.safeParse(answer.body).data : undefined;
      return found?.[collection]?.filter((order) => order.reference === reference).map(toPostedOrder);
    },

    async read({ number, reference }, signal) {
      if (!NUMBER_PATTERN.test(number)) return 'absent';
      const answer = await read(`/${collection}/${number}`, signal);
      if (answer?.status === 404) return 'absent';
      const order = answer?.status === 200 ? documentSchema.safeParse(answer.body).data : undefined;
      if (order === undefined) return undefined;
      return order.reference === reference ? toPostedOrder(order) : 'absent';
    },

    async void(number, signal) {
      const outcome = await ask({
        method: 'POST',
        path: `/${collection}/${number}/void`,
        timeoutMs: READ_TIMEOUT_MS,
        signal,
      });
      if (outcome.kind !== 'answer') return undefined;
      if (outcome.answer.status === 404) return 'absent';
      // Goods have come for it, or the month is closed: asking again would change nothing.
      if (outcome.answer.status === 422) return 'refused';
      const order = documentSchema.safeParse(outcome.answer.body).data;
      return outcome.answer.status === 200 && order?.status === 'voided' ? 'voided' : undefined;
    },
  };
}

/** They speak of the order itself: it is malformed, beyond the credit, too large, or against the rules. */
const REFUSALS = new Set([400, 402, 413, 422]);
/**
 * They speak of this server, the address or the moment (credentials, no such place, too early, too many), and are given
 * before a request is acted upon: nothing was ordered, and the same order may be taken once that is mended.
 */
const NOT_ACTED_UPON = new Set([401, 403, 404, 405, 407, 410, 415, 421, 425, 426, 429, 431]);

/**
 * Whatever else comes may be said by somebody on the way while the ERP goes on: 408, 409 for a post under way, 5xx, and
 * every status and body that nobody foresaw.
 */
function sendOutcomeOf({ status, body }: Answer, reference: string): SendOutcome {
  if (status === 200 || status === 201) {
    const order = documentSchema.safeParse(body).data;
    return order?.reference === reference ? { kind: 'accepted', order: toPostedOrder(order) } : { kind: 'unknown' };
  }
  const taken = status === 409 ? takenSchema.safeParse(body).data : undefined;
  if (taken !== undefined) return { kind: 'taken', number: taken.number };
  const duplicate = status === 409 ? duplicateSchema.safeParse(body).data : undefined;
  if (duplicate !== undefined) return { kind: 'duplicate', number: duplicate.duplicateOf };
  if (REFUSALS.has(status)) return { kind: 'refused' };
  return { kind: NOT_ACTED_UPON.has(status) ? 'not-sent' : 'unknown' };
}

function toPostedOrder({ number, status, acceptedAt }: z.output<typeof documentSchema>): PostedOrder {
  return { number, status, acceptedAt };
}
