import { HistoryBell, isChange } from './history-bell.ts';
import type { TemporalService } from './temporal-service.ts';

/** Yields at each change of the task until `signal` aborts. Then it returns; it throws what Temporal throws. */
export async function* changesOf(
  service: TemporalService,
  workflowId: string,
  signal: AbortSignal,
): AsyncGenerator<void, void, void> {
  let bell = new HistoryBell(service, workflowId);
  while (!signal.aborted) {
    const events = await bell.round(signal);
    if (events.some(isChange)) yield;
    // The run has ended, perhaps to go on as another one.
    if (bell.hasEnded) bell = new HistoryBell(service, workflowId);
  }
}
