import { randomUUID } from 'node:crypto';
import { referenceOf, type Product } from './product.ts';

/** So many pieces of the first line of a task's order have come, with a delivery note of their own. @throws when the ERP does not take them */
export async function receiveGoods({ erp: { url } }: Product, taskId: string, quantity: string): Promise<void> {
  const found = await fetch(`${url}/orders?reference=${referenceOf(taskId)}`);
  const [order] = ((await found.json()) as { orders: readonly { number: string }[] }).orders;
  if (order === undefined) throw new Error(`The ERP has no order of task ${taskId}.`);
  const body = JSON.stringify({ reference: `DN-${randomUUID()}`, lines: [{ line: 1, quantity }] });
  const answer = await fetch(`${url}/orders/${order.number}/receipts`, { method: 'POST', body });
  if (answer.status !== 201) throw new Error(`The ERP answered ${answer.status}: ${await answer.text()}`);
}
