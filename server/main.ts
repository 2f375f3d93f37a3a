/** Composes a front server from its parts and stops it in order. */
import closeWithGrace from 'close-with-grace';
import { approvalSourceOf } from './approvals/approval-source-of.ts';
import { startReconciler } from './approvals/reconciler-of.ts';
import { gateOf } from './auth/open-gate.ts';
import { exitWith, openBackend } from './backend.ts';
import { readConfig } from './config.ts';
import { createFront } from './front.ts';
import { inboxOf } from './inbox/inbox-of.ts';
import { createLog } from './log.ts';
import { startTelling } from './notices/telling-of.ts';
import { TemporalApprovalDesk } from './temporal/temporal-approval-desk.ts';

async function start(): Promise<void> {
  const config = await readConfig();
  const log = createLog(config.logLevel);
  const { localCaller, database, close, service, ...parts } = await openBackend(config, log);
  const gate = gateOf({ config, localCaller, database, log });
  const approvals = approvalSourceOf({ config, database, service, listensAt: () => front.url });
  const inbox = inboxOf({ ...parts, config, approvals, log });
  const front = createFront({ config, log, gate, database, approvals, inbox, ...parts });
  const url = await front.listen();
  if (database !== undefined) {
    void startReconciler({ service, database, auditKeys: config.auditKeys, log });
    const desk = new TemporalApprovalDesk(service);
    void startTelling({ config, database, desk, approvals, metrics: front.metrics, log, signal: service.closed });
  }
  log.info({ url, taskQueue: config.taskQueue }, 'listening');

  closeWithGrace({ delay: config.drainMs + 2_000, logger: false }, async ({ err, signal }) => {
    if (err !== undefined) log.fatal({ err }, 'stopping after an error that nobody caught');
    log.info({ signal }, 'draining');
    await front.drain();
    await close();
    log.info('stopped');
  });
}

await start().catch(exitWith);
