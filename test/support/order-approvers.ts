/** The people whom the purchase policy names, deciding on the tasks of a product. */
import type { Decision } from '../../protocol/decision.ts';
import type { ApprovalCase, DecisionAnswer } from '../../server/approvals/approval-desk.ts';
import { TemporalApprovalDesk } from '../../server/temporal/temporal-approval-desk.ts';
import { TemporalService } from '../../server/temporal/temporal-service.ts';
import { decide, decisionOn } from './approver.ts';
import { testKeyRing } from './encryption.ts';
import { eventually } from './eventually.ts';
import { askedOf, untilAsked } from './hiring.ts';
import type { Product } from './product.ts';
import { atScopeEnd } from './scope.ts';
import { openTemporal } from './temporal.ts';

export interface Approvers {
  /** What waits for `role`, once it does. */
  asked(taskId: string, role: string): Promise<ApprovalCase>;
  /** What `by` decides on what they were shown, in the role that was asked. */
  decide(found: ApprovalCase, by: string, more?: Partial<Decision>): Promise<DecisionAnswer>;
}

export async function openApprovers({ env }: Product): Promise<Approvers> {
  const address = env['TEMPORAL_ADDRESS'] ?? '';
  const taskQueue = env['TASK_QUEUE'] ?? '';
  process.env['TEMPORAL_ADDRESS'] = address;
  const service = TemporalService.connect(taskQueue, undefined, testKeyRing);
  atScopeEnd(() => service.close());
  const desk = new TemporalApprovalDesk(service);
  const { client } = await openTemporal(address);

  async function workflowIdOf(taskId: string): Promise<string> {
    return eventually(async () => {
      for await (const { workflowId } of client.workflow.list({ query: `TaskQueue = "${taskQueue}"` })) {
        if (workflowId.endsWith(`/${taskId}`)) return workflowId;
      }
      return false;
    }, 15_000);
  }

  return {
    async asked(taskId, role) {
      const workflowId = await workflowIdOf(taskId);
      return untilAsked(desk, workflowId, (found) => askedOf(found, role));
    },
    decide: (found, by, more) =>
      decide(desk, found, decisionOn(found, by, { roles: found.open[0]?.roles ?? [], ...more })),
  };
}
