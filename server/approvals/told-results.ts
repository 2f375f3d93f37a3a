/** What the audit is told of who reads what came of a task: the first time of each person and door. */
import type { OutsideAct } from '../../protocol/act.ts';
import type { DetailedTask } from '../../protocol/task.ts';
import type { Caller } from '../caller.ts';
import type { Log } from '../log.ts';
import { createActTeller } from './act-teller.ts';
import type { AuditTrail } from './audit-trail.ts';

export interface ResultReader {
  /** The hash of whom their credential names. */
  readonly principal: string;
  /** As others read it. */
  readonly by: string;
  /** `mcp`: a program took it for them. What it was given, nobody need have seen. */
  readonly where: 'inbox' | 'mcp';
}

/** `undefined`: there is no result to read. */
export function resultReadAct(
  { taskId, status }: DetailedTask,
  { principal, by, where }: ResultReader,
): OutsideAct | undefined {
  if (status !== 'completed') return undefined;
  return {
    taskId,
    type: 'result_read',
    about: where === 'inbox' ? principal : JSON.stringify([principal, where]),
    by,
    at: Date.now(),
    data: { principal, in: where },
  };
}

/** Called with each task that goes out over MCP together with its result. Neither waits nor fails. */
export type TellRead = (caller: Caller, task: DetailedTask) => void;

export function createReadTeller(audit: AuditTrail | undefined, log: Log): TellRead {
  const tell = createActTeller(audit, log);
  return ({ principal, displayName: by = principal }, task) => {
    const act = resultReadAct(task, { principal, by, where: 'mcp' });
    if (act !== undefined) tell(act);
  };
}
