/** Decisions on Temporal: read from the memo, sent as the update `decide`. */
import { setTimeout as delay } from 'node:timers/promises';
import { isGrpcServiceError } from '@temporalio/client';
import type { temporal } from '@temporalio/proto';
import type { Decision, DecisionRefusal, DecisionVerdict, SignedDecision } from '../../protocol/decision.ts';
import { DECISION_REFUSED, decideUpdate } from '../../workflows/contract.ts';
import type { ApprovalCase, ApprovalDesk, DecisionAnswer } from '../approvals/approval-desk.ts';
import type { Caller } from '../caller.ts';
import { SERVER_INFO } from '../server-info.ts';
import { StoreUnavailable } from '../task-store.ts';
import { enums } from './proto-enums.ts';
import { placesOf } from './task-ids.ts';
import { describeTask } from './task-description.ts';
import { isWorkflowNotFound, type TemporalService } from './temporal-service.ts';

type Outcome = temporal.api.update.v1.IOutcome;

/** A hot worker judges within some 50 ms; who waits longer is told that it is not confirmed yet. */
const VERDICT_BUDGET_MS = 4_000;
const POLL_BUDGET_MS = 1_500;
const AGAIN_AFTER_MS = 20;
/** CANCELLED, FAILED_PRECONDITION: the workflow task that it was part of was dropped, because its task was just ending or its worker was lost. */
const DROPPED = new Set([1, 9]);
const COMPLETED = enums.UpdateWorkflowExecutionLifecycleStage.UPDATE_WORKFLOW_EXECUTION_LIFECYCLE_STAGE_COMPLETED;

export class TemporalApprovalDesk implements ApprovalDesk {
  readonly #service: TemporalService;

  constructor(service: TemporalService) {
    this.#service = service;
  }

  async read(workflowId: string): Promise<ApprovalCase | undefined> {
    const description = await describeTask(this.#service, workflowId);
    if (description === undefined) return undefined;
    const { snapshot, tool, isClosed, cancelRequested } = description;
    const isOver = isClosed || cancelRequested || snapshot.ending !== undefined || snapshot.settling !== undefined;
    return {
      workflowId,
      taskId: snapshot.taskId,
      tool,
      requester: workflowId.split('/')[1] ?? '',
      open: isOver ? [] : (snapshot.approvals ?? []),
      decided: snapshot.decided ?? [],
      isOver,
      deadlineAt: snapshot.deadlineAt,
    };
  }

  async readOwn(caller: Caller, taskId: string): Promise<ApprovalCase | undefined> {
    for (const { workflowId } of placesOf(caller, taskId)) {
      const found = await this.read(workflowId);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  async decide(workflowId: string, signed: SignedDecision): Promise<DecisionAnswer> {
    try {
      return await this.#answerOf(await this.#send(workflowId, signed));
    } catch (error) {
      if (error instanceof StoreUnavailable) return 'unconfirmed';
      if (isWorkflowNotFound(error)) return this.#tooLate(workflowId, signed.decision);
      throw error;
    }
  }

  async verdictOf(workflowId: string, updateId: string): Promise<DecisionAnswer | undefined> {
    const { namespace } = this.#service;
    const updateRef = { workflowExecution: { workflowId }, updateId };
    const request = { namespace, updateRef, waitPolicy: { lifecycleStage: COMPLETED } };
    try {
      const { outcome } = await this.#service.call((rpc) => rpc.pollWorkflowExecutionUpdate(request), POLL_BUDGET_MS);
      return await this.#answerOf(outcome);
    } catch (error) {
      if (error instanceof StoreUnavailable || isDropped(error)) return 'unconfirmed';
      if (isWorkflowNotFound(error)) return undefined;
      throw error;
    }
  }

  /** Sent again as long as there is time: by its id it stays one decision. */
  async #send(workflowId: string, signed: SignedDecision): Promise<Outcome | null | undefined> {
    const { namespace, client } = this.#service;
    const { updateId } = signed.decision;
    const request = {
      namespace,
      workflowExecution: { workflowId },
      waitPolicy: { lifecycleStage: COMPLETED },
      request: {
        meta: { updateId, identity: SERVER_INFO.name },
        input: { name: decideUpdate.name, args: { payloads: [await client.encode(signed)] } },
      },
    };
    for (const endAt = Date.now() + VERDICT_BUDGET_MS; ;) {
      const leftMs = Math.max(endAt - Date.now(), 1);
      try {
        return (await this.#service.call((rpc) => rpc.updateWorkflowExecution(request), leftMs)).outcome;
      } catch (error) {
        if (!isDropped(error)) throw error;
        if (Date.now() >= endAt) return undefined;
        await delay(AGAIN_AFTER_MS);
      }
    }
  }

  /** Without an outcome it has not been judged. @throws an error of the update that is no verdict */
  async #answerOf(outcome: Outcome | null | undefined): Promise<DecisionAnswer> {
    const { client } = this.#service;
    if (outcome?.success != null) return (await client.decode(outcome.success.payloads?.[0])) as DecisionVerdict;
    if (outcome?.failure == null) return 'unconfirmed';
    const info = outcome.failure.applicationFailureInfo;
    if (info?.type !== DECISION_REFUSED) throw new Error('A decision could not be judged.');
    return { counted: false, refusal: (await client.decode(info.details?.payloads?.[0])) as DecisionRefusal };
  }

  /** The run has closed meanwhile: perhaps by this very decision; else its memo may still tell by whom it was decided. */
  async #tooLate(workflowId: string, { updateId, approvalId }: Decision): Promise<DecisionAnswer> {
    const verdict = await this.verdictOf(workflowId, updateId);
    if (verdict !== undefined && verdict !== 'unconfirmed') return verdict;
    const found = await this.read(workflowId);
    const decided = found?.decided.find(({ id }) => id === approvalId);
    const refusal: DecisionRefusal = decided === undefined ? { code: 'unknown' } : { code: 'decided', decided };
    return { counted: false, refusal };
  }
}

function isDropped(error: unknown): boolean {
  return isGrpcServiceError(error) && DROPPED.has(error.code);
}
