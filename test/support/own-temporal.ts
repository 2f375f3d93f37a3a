import { startDevServer, type DevServer, type DevServerOptions } from './dev-server.ts';
import { atScopeEnd } from './scope.ts';

/** A dev server that a test may kill and restart; it ends with the test or file that started it. */
export async function startOwnTemporal(options: DevServerOptions = {}): Promise<DevServer> {
  const server = await startDevServer(options);
  atScopeEnd(() => server.end());
  return server;
}
