/** The catalog, one line a tool. */
import { createCatalog } from '../tool.ts';
import { greet } from './greet.ts';
import { hireCandidate } from './hire-candidate.ts';
import { purchaseOrder } from './purchase-order.ts';
import { reconcileInvoices } from './reconcile-invoices.ts';
import { slowCompute } from './slow-compute.ts';

export const catalog = createCatalog([purchaseOrder, reconcileInvoices, hireCandidate, slowCompute, greet]);
