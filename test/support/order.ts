/** Orders that are valid by default. */
import type { OrderToPost } from '../../activities/erp-client.ts';

export function anOrder(overrides: Partial<OrderToPost> = {}): OrderToPost {
  return {
    reference: 'task-1:post-order',
    status: 'posted',
    vendor: 'Nordlicht Bürobedarf GmbH',
    currency: 'EUR',
    lines: [{ description: 'Office chair', quantity: '4', unitPrice: '189.90', amount: '759.60' }],
    total: '759.60',
    costCentre: '1100',
    ...overrides,
  };
}
