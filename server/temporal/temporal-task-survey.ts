/** All tasks of this task queue, out of Temporal's visibility store. */
import type { temporal } from '@temporalio/proto';
import { approversAttribute, principalAttribute } from '../../workflows/contract.ts';
import type { EndedRun, TaskSurvey } from '../approvals/task-survey.ts';
import { enums } from './proto-enums.ts';
import { toEpochMs } from './task-description.ts';
import { isWorkflowNotFound, type TemporalService } from './temporal-service.ts';

type Row = temporal.api.workflow.v1.IWorkflowExecutionInfo;
type CloseEvent = temporal.api.history.v1.IHistoryEvent;

const PAGE_ROWS = 500;
const CLOSE_EVENT_ONLY = enums.HistoryEventFilterType.HISTORY_EVENT_FILTER_TYPE_CLOSE_EVENT;
const { WORKFLOW_EXECUTION_STATUS_TIMED_OUT: TIMED_OUT } = enums.WorkflowExecutionStatus;

export class TemporalTaskSurvey implements TaskSurvey {
  readonly #service: TemporalService;

  constructor(service: TemporalService) {
    this.#service = service;
  }

  async *waiting(): AsyncGenerator<string> {
    const query = `ExecutionStatus = "Running" AND ${approversAttribute.name} IS NOT NULL`;
    for await (const { execution } of this.#rows(query)) {
      if (execution?.workflowId != null) yield execution.workflowId;
    }
  }

  async *endedFromOutside(since: Date): AsyncGenerator<EndedRun> {
    const query =
      `ExecutionStatus IN ("Terminated", "TimedOut") AND CloseTime >= "${since.toISOString()}" ` +
      `AND ${principalAttribute.name} IS NOT NULL`;
    for await (const { execution, status, closeTime } of this.#rows(query)) {
      const { workflowId, runId } = execution ?? {};
      if (workflowId == null || runId == null) continue;
      const base = {
        workflowId,
        runId,
        taskId: workflowId.split('/').at(-1) ?? '',
        at: new Date(toEpochMs(closeTime)),
      };
      if (status === TIMED_OUT) {
        yield { ...base, how: 'timed_out' };
        continue;
      }
      const told = (await this.#closeEvent(workflowId, runId))?.workflowExecutionTerminatedEventAttributes;
      const isGoingOn = (await this.#currentRun(workflowId)) !== runId;
      yield {
        ...base,
        how: isGoingOn ? 'reset' : 'terminated',
        ...(told?.identity ? { by: told.identity } : {}),
        ...(told?.reason ? { reason: told.reason } : {}),
      };
    }
  }

  async *#rows(query: string): AsyncGenerator<Row> {
    const { namespace, taskQueue } = this.#service;
    let nextPageToken: Uint8Array = new Uint8Array();
    do {
      const token = nextPageToken;
      const page = await this.#service.call((rpc) =>
        rpc.listWorkflowExecutions({
          namespace,
          pageSize: PAGE_ROWS,
          nextPageToken: token,
          query: `TaskQueue = ${JSON.stringify(taskQueue)} AND ${query}`,
        }),
      );
      yield* page.executions;
      ({ nextPageToken } = page);
    } while (nextPageToken.length > 0);
  }

  async #closeEvent(workflowId: string, runId: string): Promise<CloseEvent | undefined> {
    const { namespace } = this.#service;
    const { history } = await this.#service.call((rpc) =>
      rpc.getWorkflowExecutionHistory({
        namespace,
        execution: { workflowId, runId },
        historyEventFilterType: CLOSE_EVENT_ONLY,
      }),
    );
    return history?.events?.at(-1) ?? undefined;
  }

  /** `undefined`: it is no longer kept. */
  async #currentRun(workflowId: string): Promise<string | undefined> {
    const { namespace } = this.#service;
    try {
      const { workflowExecutionInfo } = await this.#service.call((rpc) =>
        rpc.describeWorkflowExecution({ namespace, execution: { workflowId } }),
      );
      return workflowExecutionInfo?.execution?.runId ?? undefined;
    } catch (error) {
      if (isWorkflowNotFound(error)) return undefined;
      throw error;
    }
  }
}
