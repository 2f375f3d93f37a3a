/**
 * Dynamic configuration that this product wants of any Temporal server it is given. `deploy/temporal-dynamic-config.yaml`
 * says the same to a server of its own.
 */
export const SERVER_SETTINGS = {
  // A process that is frozen, or cut off without a reset, keeps its connection for 70 s by Temporal's defaults; until then
  // its open polls take tasks which nobody works on.
  'frontend.keepAliveTime': '2s',
  'frontend.keepAliveTimeout': '3s',
  // Tasks that wait for a worker are handed out in turn by tenant, not in the order in which they came.
  'matching.useNewMatcher': true,
  'matching.enableFairness': true,
  // Beyond the ten of its default Temporal drops those in flight as well: fifty people may decide at once.
  'history.maxInFlightUpdates': 100,
};

/** For `temporal server start-dev`. */
export function serverArguments() {
  return Object.entries(SERVER_SETTINGS).flatMap(([name, value]) => [
    '--dynamic-config-value',
    `${name}=${JSON.stringify(value)}`,
  ]);
}
