/** What a task is told while it runs. Being too late is not an error: what has closed needs no answer and no cancel. */
import { randomUUID } from 'node:crypto';
import { taskInputSignal, type TaskInput } from '../../workflows/contract.ts';
import { DEFAULT_LIMITS } from '../limits/config.ts';
import { AnswerCounts } from './answer-counts.ts';
import { isWorkflowNotFound, type TemporalService } from './temporal-service.ts';

export class TaskMessages {
  readonly #service: TemporalService;
  readonly #answers: AnswerCounts;

  constructor(service: TemporalService, answersPerTask = DEFAULT_LIMITS.answersPerTask) {
    this.#service = service;
    this.#answers = new AnswerCounts(answersPerTask);
  }

  /** @throws TooManyAnswers, StoreUnavailable */
  async answer(workflowId: string, input: TaskInput): Promise<void> {
    this.#answers.add(workflowId);
    const service = this.#service;
    const payload = await service.client.encode(input);
    const requestId = randomUUID();
    await ignoringClosed(() =>
      service.call((rpc) =>
        rpc.signalWorkflowExecution({
          namespace: service.namespace,
          workflowExecution: { workflowId },
          signalName: taskInputSignal.name,
          input: { payloads: [payload] },
          requestId,
        }),
      ),
    );
  }

  /** @throws StoreUnavailable */
  async cancel(workflowId: string, reason: string): Promise<void> {
    const service = this.#service;
    const requestId = randomUUID();
    await ignoringClosed(() =>
      service.call((rpc) =>
        rpc.requestCancelWorkflowExecution({
          namespace: service.namespace,
          workflowExecution: { workflowId },
          requestId,
          reason,
        }),
      ),
    );
  }
}

async function ignoringClosed(run: () => Promise<unknown>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!isWorkflowNotFound(error)) throw error;
  }
}
