/** All activities of the product, with what they need of the outside handed in. */
import type { MailConfig } from '../mail/config.ts';
import type { BlobStore } from '../store/blobs.ts';
import { createActActivities, type ActActivities, type ActRecorder } from './acts.ts';
import { createApprovalActivities, type ApprovalActivities, type DecisionCheck } from './approvals.ts';
import { createErpActivities, type ErpActivities } from './erp.ts';
import { createInvoiceActivities, type InvoiceActivities } from './invoices/reconcile.ts';
import { readInvoices } from './invoices/read-invoices.ts';
import type { InvoiceSources } from './invoices/uploaded-invoices.ts';
import { createGoodsActivities, type GoodsActivities } from './goods.ts';
import { createHiringActivities, type HiringActivities } from './hiring-policy.ts';
import { createOrderMailActivities, type OrderMailActivities } from './order-mail.ts';
import { createOrderPdfActivities, type OrderPdfActivities } from './order-pdf.ts';
import { readPolicy } from './policy-file.ts';
import { evaluatePolicy, type PolicyFacts, type PolicyVerdict } from './purchase-policy.ts';
import { readPurchaseRequest } from './purchase-request.ts';
import { createResultActivities, type ResultActivities } from './results.ts';
import { slowCompute } from './slow-compute.ts';

export interface ActivityDependencies {
  readonly blobs: BlobStore;
  /** Base URL of the ERP. */
  readonly erpUrl: string;
  /** Read at each check, so that a new limit counts from the next order on. Default: the one of this project. */
  readonly policyFile?: string;
  /** As `policyFile`. */
  readonly hiringPolicyFile?: string;
  /** The same for invoices. */
  readonly invoicePolicyFile?: string;
  /** What callers have brought along. Absent: nobody has. */
  readonly uploads?: InvoiceSources['uploads'];
  /** Absent: no order goes by mail. */
  readonly mail?: MailConfig | undefined;
  readonly decisions: DecisionCheck;
  /** Absent: nobody keeps what happened to tasks. */
  readonly acts?: ActRecorder | undefined;
}

export interface Activities
  extends
    ActActivities,
    ApprovalActivities,
    ErpActivities,
    GoodsActivities,
    HiringActivities,
    InvoiceActivities,
    OrderMailActivities,
    OrderPdfActivities,
    ResultActivities {
  readonly readPurchaseRequest: typeof readPurchaseRequest;
  readonly slowCompute: typeof slowCompute;
  /** `today` is `YYYY-MM-DD`. */
  checkPolicy(args: { facts: PolicyFacts; today: string }): Promise<PolicyVerdict>;
}

export function createActivities(dependencies: ActivityDependencies): Activities {
  const { blobs, erpUrl, mail, decisions, acts, policyFile = 'policy/purchase-policy.json' } = dependencies;
  const { hiringPolicyFile = 'policy/hiring-policy.json' } = dependencies;
  const { uploads = NO_UPLOADS, invoicePolicyFile = 'policy/invoice-policy.json' } = dependencies;
  const sources: InvoiceSources = { uploads, readInvoices };
  return {
    ...createActActivities(acts),
    ...createApprovalActivities(decisions),
    ...createErpActivities({ erpUrl }),
    ...createInvoiceActivities({ blobs, sources, erpUrl, policyFile: invoicePolicyFile }),
    ...createGoodsActivities({ erpUrl }),
    ...createOrderMailActivities({ mail, blobs }),
    ...createHiringActivities(hiringPolicyFile),
    ...createOrderPdfActivities(blobs),
    ...createResultActivities(blobs),
    readPurchaseRequest,
    slowCompute,
    checkPolicy: async ({ facts, today }) =>
      evaluatePolicy(await readPolicy(policyFile), facts, today, mail !== undefined),
  };
}

const NO_UPLOADS: InvoiceSources['uploads'] = { read: async () => undefined };
