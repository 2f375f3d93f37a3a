/** What the caller is asked when an approver wants an order to be another one. */
import type { OrderDraft } from '../activities/order-draft.ts';
import { nameOf, type Vote } from '../protocol/approval.ts';
import { choice, date, optional, text, type Answer } from '../protocol/form.ts';
import { elicitOrFail } from './elicit-or-fail.ts';
import { oneLine } from '../protocol/one-line.ts';
import type { CompletedOrder } from './order-completion.ts';
import { toolFailure, type TaskContext } from './tool.ts';

/** Who answers without changing anything is asked again. */
const MAX_ROUNDS = 5;
const MAX_REASON_CHARS = 600;

/** By whom, and what: one line for the caller and for whoever decides next. */
export function changesText(vote: Vote): string {
  return `${oneLine(nameOf(vote), 100)}: ${oneLine(vote.reason ?? '', MAX_REASON_CHARS)}`;
}

/**
 * The order as the caller has changed it. Lines, vendor and currency stay: with others it is another order.
 * @throws ToolFailure when the caller withdraws it, or cannot be asked
 */
export async function changedOrder(
  { order, verdict }: CompletedOrder,
  changes: string,
  task: TaskContext,
): Promise<OrderDraft> {
  const nothingOrdered = `Nothing was ordered. Changes are asked for by ${changes}`;
  let complaint = '';
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    const message =
      `${complaint}Changes to the order to ${order.vendor} for ${order.total} ${order.currency} are asked for by ` +
      `${changes}\nTo order other lines, withdraw it and call again.`;
    const otherwise = `${nothingOrdered}\nMake them and call again, with a new idempotency key.`;
    const reply = await elicitOrFail(task, { message, form: changesForm(verdict.costCentres), otherwise });
    if (reply.action !== 'accept' || reply.content.answer === 'withdraw') {
      throw toolFailure(`${nothingOrdered}\nThe order was withdrawn.`);
    }
    const changed = { ...order, ...givenIn(reply.content) };
    if (JSON.stringify(changed) !== JSON.stringify(order)) return changed;
    complaint = 'Nothing was changed. ';
  }
  throw toolFailure(`${nothingOrdered}\nNothing was changed.`);
}

type ChangesForm = ReturnType<typeof changesForm>;

function changesForm(costCentres: CompletedOrder['verdict']['costCentres']) {
  return {
    answer: choice(
      [
        { value: 'send-again', title: 'Ask for approval again, with what is filled in below' },
        { value: 'withdraw', title: 'Withdraw the order' },
      ],
      { title: 'What shall happen' },
    ),
    justification: optional(text({ title: 'New justification', maxLength: 2_000 })),
    costCentre: optional(choice(costCentres, { title: 'Other cost centre' })),
    neededBy: optional(date({ title: 'Other day by which it is needed' })),
  };
}

/** An empty field is one that was left out. */
function givenIn({ justification, costCentre, neededBy }: Answer<ChangesForm>): Partial<OrderDraft> {
  const given = { justification: justification?.trim(), costCentre, neededBy };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined && value !== ''));
}
