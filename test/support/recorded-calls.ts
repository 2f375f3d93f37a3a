/** Which calls of Temporal a front makes. They are made all the same. */
import type { TemporalService } from '../../server/temporal/temporal-service.ts';

type Rpc = Parameters<Parameters<TemporalService['call']>[0]>[0];

/** The names of the calls that `service` makes while `run` runs, retries included. */
export async function callsDuring(service: TemporalService, run: () => Promise<unknown>): Promise<readonly string[]> {
  const made: string[] = [];
  const recorded = (rpc: Rpc): Rpc =>
    new Proxy(rpc, {
      get(target, name, receiver): unknown {
        made.push(String(name));
        return Reflect.get(target, name, receiver);
      },
    });
  const [call, longPoll] = [service.call.bind(service), service.longPoll.bind(service)];
  service.call = (make, budgetMs) => call((rpc) => make(recorded(rpc)), budgetMs);
  service.longPoll = (make, endAt, signal) => longPoll((rpc) => make(recorded(rpc)), endAt, signal);
  try {
    await run();
  } finally {
    Object.assign(service, { call, longPoll });
  }
  return made;
}
