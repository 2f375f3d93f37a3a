import type { NewOrder } from '../../demo/erp/order.ts';
import type { TestErp } from './erp.ts';
import { anOrder } from './order.ts';
import { patiently } from './patience.js';

/** An order of before, of which `received` pieces of the first line have come. */
export async function seedOrder(
  erp: Pick<TestErp, 'url'>,
  number: string,
  received: string,
  overrides: Partial<NewOrder> = {},
): Promise<void> {
  const order = { ...anOrder({ reference: `seed:${number}` }), number, ...overrides };
  await send(`${erp.url}/orders`, order);
  if (received === '0') return;
  await send(`${erp.url}/orders/${number}/receipts`, { reference: 'GR', lines: [{ line: 1, quantity: received }] });
}

async function send(url: string, body: object): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(patiently(5_000)),
  });
  if (response.status !== 201) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
}
