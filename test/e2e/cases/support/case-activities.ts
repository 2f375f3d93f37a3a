/** The outside world of the case tools. */
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { TOOL_FAILURE } from '../../../../protocol/task-failure.ts';
import { oddValue } from './odd-values.ts';

/** What must never reach a client. */
export const SECRET = 'postgres://u:p@db.internal:5432/x';

const BEAT_MS = 500;

export type CaseActivities = typeof caseActivities;

export const caseActivities = {
  /** Ends at once when it is cancelled. */
  async workFor({ ms }: { ms: number }): Promise<string> {
    for (let leftMs = ms; leftMs > 0; leftMs -= BEAT_MS) {
      Context.current().heartbeat();
      await Context.current().sleep(Math.min(leftMs, BEAT_MS));
    }
    return `worked for ${String(ms)} ms`;
  },
  fail({ how }: { how: string }): Promise<void> {
    if (how === 'rejected') throw ApplicationFailure.nonRetryable('The vendor is blocked.', TOOL_FAILURE);
    throw new Error(`connect to ${SECRET} failed`);
  },
  giveOdd({ kind }: { kind: string }): Promise<unknown> {
    return Promise.resolve({ value: oddValue(kind) });
  },
  failWithOdd({ kind }: { kind: string }): Promise<void> {
    throw ApplicationFailure.create({ message: 'no', type: 'Odd', nonRetryable: true, details: [oddValue(kind)] });
  },
  async heartbeatOdd({ kind }: { kind: string }): Promise<string> {
    Context.current().heartbeat({ message: 'working', value: oddValue(kind) });
    await Context.current().sleep(200);
    return 'survived';
  },
};
