/** From an order draft to one that the purchase policy takes. */
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { OrderDraft } from '../activities/order-draft.ts';
import type { PolicyVerdict } from '../activities/purchase-policy.ts';
import { choice, text, type Field } from '../protocol/form.ts';
import { toolFailure, type TaskContext } from './tool.ts';

const { checkPolicy } = proxyActivities<Activities>({
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '5 seconds', maximumAttempts: 10 },
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  summary: 'Check the purchase policy',
});

/** The policy may be changed while a person fills in the form. */
const MAX_POLICY_ROUNDS = 4;

export interface CompletedOrder {
  readonly order: OrderDraft;
  readonly verdict: PolicyVerdict;
}

/**
 * Asks the caller for what the policy wants to know, in one form, until nothing is missing.
 * @throws ToolFailure when the policy refuses the order, or the caller does not answer
 */
export async function completeOrder(draft: OrderDraft, task: TaskContext): Promise<CompletedOrder> {
  let order = draft;
  for (let round = 1; round <= MAX_POLICY_ROUNDS; round += 1) {
    const { lines: _, ...facts } = order;
    const today = new Date().toISOString().slice(0, 10);
    const verdict = await task.step('Check the purchase policy', () => checkPolicy({ facts, today }));
    if (verdict.refusals.length > 0) {
      throw toolFailure(`The purchase policy refuses this order; nothing was ordered.\n${verdict.refusals.join('\n')}`);
    }
    const { costCentre, justification } = verdict.missing;
    if (costCentre === undefined && justification === undefined) {
      task.describe({ 'Cost centre': order.costCentre ?? '' });
      return { order, verdict };
    }
    const reply = await task.elicit(questionText(order, verdict), formFor(verdict));
    if (reply.action !== 'accept') throw toolFailure(declinedText(verdict));
    order = { ...order, ...trimmed(reply.content) };
  }
  throw toolFailure('The purchase policy changed again and again meanwhile; nothing was ordered. Call again.');
}

function formFor({
  missing: { costCentre, justification },
  costCentres,
}: PolicyVerdict): Readonly<Record<string, Field<string>>> {
  return {
    ...(costCentre === undefined ? {} : { costCentre: choice(costCentres, { title: 'Cost centre' }) }),
    ...(justification === undefined
      ? {}
      : { justification: text({ title: 'Justification', minLength: justification.minLength, maxLength: 2_000 }) }),
  };
}

function trimmed(content: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(content).map(([name, value]) => [name, value.trim()]));
}

function questionText({ vendor, total, currency, costCentre }: OrderDraft, { missing }: PolicyVerdict): string {
  const unknown = costCentre === undefined ? 'a cost centre' : 'a cost centre from the list';
  const wanted = [
    ...(missing.costCentre === undefined ? [] : [unknown]),
    ...(missing.justification === undefined ? [] : [justificationText(missing.justification.above, currency)]),
  ];
  return `The order to ${vendor} for ${total} ${currency} needs ${wanted.join(' and ')}.`;
}

function justificationText(above: string | undefined, currency: string): string {
  if (above === undefined) return 'a justification in plain text, without control characters';
  return `a justification, because it is above ${above} ${currency}`;
}

function declinedText({ missing }: PolicyVerdict): string {
  return `Nothing was ordered: the question was not answered. Call again with ${Object.keys(missing).join(' and ')}.`;
}
