/**
 * Decisions by other people: asked, waited for, judged.
 *
 * The one gate for whatever door a decision comes through: the validator refuses what cannot count, the worker checks the
 * front's signature and what was shown, and `judge` counts it in the order of the activation's events. Nothing changes before.
 */
import { condition, proxyLocalActivities, TemporalFailure, uuid4, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import {
  decidedOf,
  resultOf,
  shownText,
  type Approval,
  type ApprovalResult,
  type Requester,
} from '../protocol/approval.ts';
import {
  refusalOf,
  voteOf,
  type Decision,
  type DecisionRefusal,
  type DecisionVerdict,
  type SignedDecision,
} from '../protocol/decision.ts';
import {
  approvalContent,
  marksOf,
  outcomeOfApproval,
  type ApprovalOutcome,
  type ApprovalRequest,
} from '../protocol/approval-request.ts';
import { isWaitedFor } from '../protocol/link-holder.ts';
import type { TaskRecord } from './task-record.ts';

const { verifyDecision } = proxyLocalActivities<Activities>({
  startToCloseTimeout: '5 seconds',
  retry: { initialInterval: '100 milliseconds', maximumAttempts: 3 },
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
});

/** After an approval has expired its task still has to say so. */
const AFTER_DUE_MS = 3_600_000;

interface Asker {
  /** The hash of the task's caller, who decides nothing here. */
  readonly caller: string;
  readonly name: string;
  readonly identity: Requester | undefined;
  readonly maxTtlMs: number;
}

export class ApprovalBook {
  readonly #record: TaskRecord;
  readonly #requester: Asker;
  readonly #outcomes = new Map<string, ApprovalOutcome>();
  readonly #onExpiry = new Map<string, ApprovalResult>();

  constructor(record: TaskRecord, requester: Asker) {
    this.#record = record;
    this.#requester = requester;
  }

  /** Waits for the people. `wake` has the lifecycle decide what is due: an expiry stands behind a cancel. */
  async ask(request: ApprovalRequest, wake: () => void): Promise<ApprovalOutcome> {
    const openedAt = Date.now();
    const dueAt = openedAt + Math.floor(request.withinMs);
    const approval: Approval = {
      ...approvalContent(request, this.#requester.name),
      id: uuid4(),
      roles: request.role === undefined ? [] : [request.role],
      people: request.people ?? [],
      ...(this.#requester.identity === undefined ? {} : { requester: this.#requester.identity }),
      openedAt,
      dueAt,
      votes: [],
    };
    const { id } = approval;
    this.#onExpiry.set(id, request.onExpiry ?? 'expired');
    if (isWaitedFor(approval)) this.#keepTaskUntil(dueAt + AFTER_DUE_MS);
    this.#record.apply({ type: 'approvalOpen', approval });
    try {
      for (const mark of marksOf(request, approval)) {
        if (await this.#isDecidedBy(id, mark.at)) break;
        if (mark.kind === 'remind') this.#remind(id, mark.at);
        if (mark.kind === 'escalate') this.#escalate(id, mark.role);
        if (mark.kind === 'due') wake();
      }
      await condition(() => this.#outcomes.has(id));
    } catch (error) {
      // Who no longer waits for it is told all the same what has counted.
      if (!this.#outcomes.has(id)) throw error;
    } finally {
      this.#close(id, 'withdrawn');
      this.#onExpiry.delete(id);
    }
    const outcome = this.#outcomes.get(id) ?? outcomeOfApproval(approval, 'withdrawn');
    this.#outcomes.delete(id);
    return outcome;
  }

  /** What the validator of the update says: `undefined` lets it in. */
  refusalOf({ decision }: SignedDecision): DecisionRefusal | undefined {
    return this.#refusalAt(decision, Date.now());
  }

  /** Whether a front of ours signed the decision, and for what stands here. */
  async verify(signed: SignedDecision): Promise<DecisionRefusal | undefined> {
    const approval = this.#openNamed(signed.decision.approvalId);
    if (approval === undefined) return this.#closedRefusal(signed.decision.approvalId);
    const shown = shownText(this.#record.state.taskId, workflowInfo().workflowType, approval);
    try {
      return (await verifyDecision({ signed, shown })).refusal;
    } catch (error) {
      // Its update would fail for good under its id; so the person is told to decide anew.
      if (error instanceof TemporalFailure) return { code: 'unchecked' };
      throw error;
    }
  }

  judge(decision: Decision, receivedAt: number): DecisionVerdict {
    const refusal = this.#refusalAt(decision, receivedAt);
    const approval = this.#openNamed(decision.approvalId);
    if (refusal !== undefined || approval === undefined) {
      return { counted: false, refusal: refusal ?? { code: 'unknown' } };
    }
    const voted: Approval = { ...approval, votes: [...approval.votes, voteOf(decision, Date.now())] };
    this.#record.apply({ type: 'approvalOpen', approval: voted, digest: decision.digest });
    const result = resultOf(voted);
    const { length: votes } = voted.votes;
    if (result === undefined) return { counted: true, votes, quorum: voted.quorum };
    const decided = this.#close(voted.id, result);
    if (voted.link !== undefined) this.#closeLinks();
    return { counted: true, votes, quorum: voted.quorum, ...(decided === undefined ? {} : { decided }) };
  }

  /** Ends what nobody has decided in time. */
  expireDue(): void {
    for (const { id, dueAt } of this.#record.state.approvals ?? []) {
      if (Date.now() >= dueAt) this.#close(id, this.#onExpiry.get(id) ?? 'expired');
    }
  }

  /** Whoever answers by a link answers once: at this very moment the other links of the task are over. */
  #closeLinks(): void {
    for (const { id, link } of this.#record.state.approvals ?? []) if (link !== undefined) this.#close(id, 'withdrawn');
  }

  #refusalAt(decision: Decision, at: number): DecisionRefusal | undefined {
    if (decision.taskId !== this.#record.state.taskId) return { code: 'unknown' };
    const approval = this.#openNamed(decision.approvalId);
    if (approval === undefined) return this.#closedRefusal(decision.approvalId);
    return refusalOf(approval, decision, { requester: this.#requester.caller, at });
  }

  #openNamed(id: string): Approval | undefined {
    return this.#record.state.approvals?.find((approval) => approval.id === id);
  }

  #closedRefusal(id: string): DecisionRefusal {
    const decided = this.#record.state.decided?.find((one) => one.id === id);
    return decided === undefined ? { code: 'unknown' } : { code: 'decided', decided };
  }

  #close(id: string, result: ApprovalResult): ReturnType<typeof decidedOf> | undefined {
    const approval = this.#openNamed(id);
    if (approval === undefined) return undefined;
    const decided = decidedOf(approval, result, Date.now());
    this.#record.apply({ type: 'approvalDecided', decided });
    this.#outcomes.set(id, outcomeOfApproval(approval, result));
    return decided;
  }

  #remind(id: string, at: number): void {
    const data = { approval: id, dueAt: new Date(this.#openNamed(id)?.dueAt ?? at).toISOString() };
    this.#record.note({ type: 'reminded', about: `${id} ${String(at)}`, data });
  }

  #escalate(id: string, role: string): void {
    const approval = this.#openNamed(id);
    if (approval === undefined || approval.roles.includes(role)) return;
    this.#record.apply({ type: 'approvalOpen', approval: { ...approval, roles: [...approval.roles, role] } });
  }

  async #isDecidedBy(id: string, at: number): Promise<boolean> {
    const waitMs = at - Date.now();
    if (waitMs <= 0) return this.#openNamed(id) === undefined;
    const summary = `Approval waits until ${new Date(at).toISOString()}`;
    return condition(() => this.#openNamed(id) === undefined, waitMs, { summary });
  }

  #keepTaskUntil(at: number): void {
    const { deadlineAt } = this.#record.state;
    if (at > deadlineAt) {
      this.#record.apply({ type: 'extended', byMs: at - deadlineAt, maxTtlMs: this.#requester.maxTtlMs });
    }
  }
}
