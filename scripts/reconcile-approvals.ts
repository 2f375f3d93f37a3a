/** `npm run approvals:reconcile`: the queue of approvals is made anew from the tasks at once, in the environment of a front. */
import { rebuildQueue } from '../server/approvals/reconciler.ts';
import { readConfig } from '../server/config.ts';
import { StoreUnavailable } from '../server/task-store.ts';
import { TemporalApprovalDesk } from '../server/temporal/temporal-approval-desk.ts';
import { TemporalService } from '../server/temporal/temporal-service.ts';
import { TemporalTaskSurvey } from '../server/temporal/temporal-task-survey.ts';
import { PostgresApprovalQueue } from '../store/approval-queue.ts';
import { needsDatabase, runCommandLine, UsageError, type CommandAnswer } from '../store/command-line.ts';
import { migrate } from '../store/migrate.ts';
import { openDatabase } from '../store/postgres.ts';

async function run(args: readonly string[]): Promise<CommandAnswer> {
  if (args.length > 0) throw new UsageError('Usage: npm run approvals:reconcile');
  const { storeConfig, taskQueue, variables, encryption } = await readConfig();
  const url = needsDatabase(storeConfig.databaseUrl);
  await migrate(url);
  const { db, close } = openDatabase(url);
  const service = TemporalService.connect(taskQueue, variables, encryption?.keyRing);
  try {
    const { open, added, changed, removed } = await rebuildQueue({
      survey: new TemporalTaskSurvey(service),
      desk: new TemporalApprovalDesk(service),
      queue: new PostgresApprovalQueue(db),
    });
    const mended = added + changed + removed;
    const how = `${String(added)} added, ${String(changed)} changed, ${String(removed)} removed`;
    return { text: `${String(open)} approvals wait. ${String(mended)} rows were mended: ${how}.`, isFailure: false };
  } finally {
    await Promise.all([service.close(), close()]);
  }
}

await runCommandLine(run, [StoreUnavailable]);
