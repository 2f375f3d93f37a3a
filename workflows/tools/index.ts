/** The catalog, one line a tool. */
import { createCatalog } from '../tool.ts';
import { greet } from './greet.ts';
import { purchaseOrder } from './purchase-order.ts';
import { slowCompute } from './slow-compute.ts';

export const catalog = createCatalog([purchaseOrder, slowCompute, greet]);
