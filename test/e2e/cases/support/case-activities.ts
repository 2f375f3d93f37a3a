/** The outside world of the case tools. */
import { appendFile } from 'node:fs/promises';
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { TOOL_FAILURE } from '../../../../protocol/task-failure.ts';
import type { BlobStore, FileOwner, StoredFile } from '../../../../store/blobs.ts';
import { oddValue } from './odd-values.ts';

/** What must never reach a client. */
export const SECRET = 'postgres://u:p@db.internal:5432/x';

const BEAT_MS = 500;

export type CaseActivities = ReturnType<typeof createCaseActivities>;

export interface CaseWorld {
  readonly blobs: BlobStore;
  /** One line a booking: task id and entry. */
  readonly ledgerFile: string;
}

export const createCaseActivities = ({ blobs, ledgerFile }: CaseWorld) => ({
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
  async book({ taskId, entry }: { taskId: string; entry: string }): Promise<void> {
    await appendFile(ledgerFile, `${taskId} ${entry}\n`);
  },
  failAtLength({ bytes }: { bytes: number }): Promise<void> {
    throw ApplicationFailure.nonRetryable('x'.repeat(bytes), TOOL_FAILURE);
  },
  giveText({ bytes }: { bytes: number }): Promise<string> {
    return Promise.resolve('x'.repeat(bytes));
  },
  storeText({ owner, bytes }: { owner: FileOwner; bytes: number }): Promise<StoredFile> {
    return blobs.put(owner, { name: 'large.txt', mimeType: 'text/plain', bytes: Buffer.alloc(bytes, 'x') });
  },
});
