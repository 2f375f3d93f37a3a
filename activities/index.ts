/** All activities of the product, with what they need of the outside handed in. */
import type { BlobStore } from '../store/blobs.ts';
import { createErpActivities, type ErpActivities } from './erp.ts';
import { createOrderPdfActivities, type OrderPdfActivities } from './order-pdf.ts';
import { evaluatePolicy, readPolicy, type PolicyFacts, type PolicyVerdict } from './purchase-policy.ts';
import { readPurchaseRequest } from './purchase-request.ts';
import { createResultActivities, type ResultActivities } from './results.ts';
import { slowCompute } from './slow-compute.ts';

export interface ActivityDependencies {
  readonly blobs: BlobStore;
  /** Base URL of the ERP. */
  readonly erpUrl: string;
  /** Read at each check, so that a new limit counts from the next order on. Default: the one of this project. */
  readonly policyFile?: string;
}

export interface Activities extends ErpActivities, OrderPdfActivities, ResultActivities {
  readonly readPurchaseRequest: typeof readPurchaseRequest;
  readonly slowCompute: typeof slowCompute;
  /** `today` is `YYYY-MM-DD`. */
  checkPolicy(args: { facts: PolicyFacts; today: string }): Promise<PolicyVerdict>;
}

export function createActivities(dependencies: ActivityDependencies): Activities {
  const { blobs, erpUrl, policyFile = 'policy/purchase-policy.json' } = dependencies;
  return {
    ...createErpActivities({ erpUrl }),
    ...createOrderPdfActivities(blobs),
    ...createResultActivities(blobs),
    readPurchaseRequest,
    slowCompute,
    checkPolicy: async ({ facts, today }) => evaluatePolicy(await readPolicy(policyFile), facts, today),
  };
}
