import { randomUUID } from 'node:crypto';
import type { TemporalService } from '../../server/temporal/temporal-service.ts';

/** As an operator does it in the Temporal UI. */
export async function resetToFirstStep(service: TemporalService, workflowId: string): Promise<void> {
  const { namespace } = service;
  const { history } = await service.call((rpc) =>
    rpc.getWorkflowExecutionHistory({ namespace, execution: { workflowId } }),
  );
  const decided = history?.events?.find(
    ({ workflowTaskCompletedEventAttributes }) => workflowTaskCompletedEventAttributes,
  );
  await service.call((rpc) =>
    rpc.resetWorkflowExecution({
      namespace,
      workflowExecution: { workflowId },
      requestId: randomUUID(),
      reason: 'test',
      workflowTaskFinishEventId: decided?.eventId,
    }),
  );
}
