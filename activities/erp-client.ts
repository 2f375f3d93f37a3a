/** What the ERP can be asked, and what its answers mean. It trusts no answer whose shape it does not know. */
import { z } from 'zod';
import { exchange, type Answer, type ExchangeOptions, type ExchangeOutcome } from './erp-exchange.ts';
import type { OrderDraft, PostedOrder } from './order-draft.ts';

/** How the ERP keeps a repeated post from making a second order; in `search-only` it does not. */
export type ErpMode = 'idempotency-key' | 'unique-reference' | 'search-only';

export interface OrderToPost extends OrderDraft {
  readonly status: 'posted' | 'draft';
  readonly reference: string;
}

/** `refused`: a business "no". `unknown`: it may or may not have been accepted. */
export type SendOutcome =
  | { readonly kind: 'accepted'; readonly order: PostedOrder }
  | { readonly kind: 'taken'; readonly number: string }
  | { readonly kind: 'refused' | 'not-sent' | 'unknown' };

/** `undefined`: the ERP did not answer, or not in words that are known. */
type Known<T> = Promise<T | undefined>;

export interface ErpClient {
  mode(signal?: AbortSignal): Known<ErpMode>;
  send(order: OrderToPost, how: { maySend?: () => boolean; signal?: AbortSignal }): Promise<SendOutcome>;
  /** The orders under a reference that the ERP shows at this moment. */
  search(reference: string, signal?: AbortSignal): Known<readonly PostedOrder[]>;
  /** `absent`: there is no such order under this reference. */
  read(of: { number: string; reference: string }, signal?: AbortSignal): Known<PostedOrder | 'absent'>;
  void(number: string, signal?: AbortSignal): Known<'voided' | 'absent'>;
}

const READ_TIMEOUT_MS = 5_000;
const SEND_TIMEOUT_MS = 10_000;

const NUMBER_PATTERN = /^[A-Za-z0-9-]{1,40}$/;
const orderSchema = z.object({
  number: z.string().regex(NUMBER_PATTERN),
  reference: z.string(),
  status: z.enum(['posted', 'draft', 'voided']),
  acceptedAt: z.iso.datetime(),
});
const modeSchema = z.object({ mode: z.enum(['idempotency-key', 'unique-reference', 'search-only']) });
const ordersSchema = z.object({ orders: z.array(orderSchema) });
const takenSchema = z.object({ number: z.string().regex(NUMBER_PATTERN) });

export function createErpClient(baseUrl: string): ErpClient {
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

    async send(order, { maySend, signal }) {
      const outcome = await ask({
        method: 'POST',
        path: '/orders',
        body: order,
        idempotencyKey: order.reference,
        timeoutMs: SEND_TIMEOUT_MS,
        maySend,
        signal,
      });
      if (outcome.kind === 'answer') return sendOutcomeOf(outcome.answer, order.reference);
      return { kind: outcome.kind === 'not-sent' ? 'not-sent' : 'unknown' };
    },

    async search(reference, signal) {
      const answer = await read(`/orders?reference=${encodeURIComponent(reference)}`, signal);
      const found = answer?.status === 200 ? ordersSchema.safeParse(answer.body).data : undefined;
      return found?.orders.filter((order) => order.reference === reference).map(toPostedOrder);
    },

    async read({ number, reference }, signal) {
      if (!NUMBER_PATTERN.test(number)) return 'absent';
      const answer = await read(`/orders/${number}`, signal);
      if (answer?.status === 404) return 'absent';
      const order = answer?.status === 200 ? orderSchema.safeParse(answer.body).data : undefined;
      if (order === undefined) return undefined;
      return order.reference === reference ? toPostedOrder(order) : 'absent';
    },

    async void(number, signal) {
      const outcome = await ask({ method: 'POST', path: `/orders/${number}/void`, timeoutMs: READ_TIMEOUT_MS, signal });
      if (outcome.kind !== 'answer') return undefined;
      if (outcome.answer.status === 404) return 'absent';
      const order = orderSchema.safeParse(outcome.answer.body).data;
      return outcome.answer.status === 200 && order?.status === 'voided' ? 'voided' : undefined;
    },
  };
}

/** Only a 4xx that speaks of the order itself is a "no"; 408, 425 and 429 speak of the moment, 5xx of the ERP. */
function sendOutcomeOf({ status, body }: Answer, reference: string): SendOutcome {
  if (status === 200 || status === 201) {
    const order = orderSchema.safeParse(body).data;
    return order?.reference === reference ? { kind: 'accepted', order: toPostedOrder(order) } : { kind: 'unknown' };
  }
  const taken = status === 409 ? takenSchema.safeParse(body).data : undefined;
  if (taken !== undefined) return { kind: 'taken', number: taken.number };
  const isAboutTheMoment = [408, 409, 425, 429].includes(status);
  return { kind: status >= 400 && status < 500 && !isAboutTheMoment ? 'refused' : 'unknown' };
}

function toPostedOrder({ number, status, acceptedAt }: z.output<typeof orderSchema>): PostedOrder {
  return { number, status, acceptedAt };
}
