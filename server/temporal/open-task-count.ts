import { principalsOf, type Caller } from '../caller.ts';
import { listQuery } from './list-query.ts';
import type { TemporalService } from './temporal-service.ts';

/** Whoever asks would rather know nothing than wait. */
const OPEN_BUDGET_MS = 1_000;

/** How many tasks of `caller` run, by visibility. @throws StoreUnavailable */
export async function countOpenTasks(service: TemporalService, caller: Caller): Promise<number> {
  const query = `${listQuery(principalsOf(caller), {})} AND ExecutionStatus = "Running"`;
  const { namespace } = service;
  const { count } = await service.call((rpc) => rpc.countWorkflowExecutions({ namespace, query }), OPEN_BUDGET_MS);
  return Number(count);
}
