/** The ids of the principal keys in use, among the data of our Temporal namespace. */
import type { Log } from '../log.ts';
import { checkRing, keyIdsOf, PRINCIPAL_CHECK_NAME } from '../principal-check.ts';
import type { PrincipalRing } from '../principal.ts';
import { StoreUnavailable } from '../task-store.ts';
import type { TemporalService } from './temporal-service.ts';

/** Each time means that another front has written in between. */
const MAX_WRITES = 5;
const RETRY_MS = 2_000;

/**
 * Records the keys of `ring`, unless those that are recorded are others.
 * @returns `false`: they are others
 * @throws StoreUnavailable; other gRPC errors when the namespace may not be changed
 */
export async function recordPrincipalKeys(service: TemporalService, ring: PrincipalRing): Promise<boolean> {
  const { namespace } = service;
  for (let writes = 0; ; writes += 1) {
    const { namespaceInfo } = await service.call((rpc) => rpc.describeNamespace({ namespace }));
    const { isKnown, record } = checkRing(ring, namespaceInfo?.data?.[PRINCIPAL_CHECK_NAME]);
    if (record === undefined || writes >= MAX_WRITES) return isKnown;
    // Two fronts may both have found nothing: what the other one wrote shows when it is read again.
    const updateInfo = { data: { [PRINCIPAL_CHECK_NAME]: record } };
    await service.call((rpc) => rpc.updateNamespace({ namespace, updateInfo }));
  }
}

/** Warns of a principal key that is not the one of the tasks that are there; waits for Temporal, and holds nothing up. */
export async function watchPrincipalKeys(service: TemporalService, ring: PrincipalRing, log: Log): Promise<void> {
  try {
    if (await recordPrincipalKeys(service, ring)) return;
    log.warn(
      { keyIds: keyIdsOf(ring), namespace: service.namespace },
      'PRINCIPAL_KEY is not the key that the tasks of this namespace were made under: their callers will not find them. ' +
        'Restore the key; npm run doctor says more.',
    );
  } catch (err) {
    if (service.closed.aborted) return;
    if (err instanceof StoreUnavailable) {
      setTimeout(() => void watchPrincipalKeys(service, ring, log), RETRY_MS).unref();
      return;
    }
    log.warn({ err }, 'the namespace does not take a check value of PRINCIPAL_KEY: a wrong key will go unnoticed');
  }
}
