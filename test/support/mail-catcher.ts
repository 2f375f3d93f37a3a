/** A mail server that ends with the test or file that started it. */
import { openMailServer, type MailCatcher } from './mail-server.ts';
import { atScopeEnd } from './scope.ts';

export type { CaughtMail, MailCatcher } from './mail-server.ts';

export async function startMailCatcher(port?: number): Promise<MailCatcher> {
  const server = await openMailServer(port);
  atScopeEnd(() => server.close());
  return server;
}

/** As the mail's reader has it: long lines are sent in pieces. */
export function unfolded(body: string): string {
  return body.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=');
}
