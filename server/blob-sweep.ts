/**
 * Keeps the blob folder from growing for ever. Every front does it, because a front knows how long results are promised; at
 * no fixed time, so that fronts which started together do not sweep together.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { BlobStore } from '../store/blobs.ts';
import type { Catalog, TaskTool, Tool } from '../workflows/tool.ts';
import type { Log } from './log.ts';
import { SETTLEMENT_GRACE_MS, taskTtl } from './task-ttl.ts';

const EVERY_MS = 3_600_000;
/** What is left is for the next pass. */
const TASKS_A_PASS = 10_000;

interface BlobSweep {
  readonly blobs: Pick<BlobStore, 'sweep'>;
  readonly log: Pick<Log, 'info' | 'warn'>;
  readonly keepMs: number;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** On average. Default: an hour. */
  readonly everyMs?: number;
}

/** Runs until `signal` aborts, and keeps no process alive. */
export async function sweepBlobs({ blobs, log, keepMs, signal, everyMs = EVERY_MS }: BlobSweep): Promise<void> {
  for (;;) {
    await delay(2 * everyMs * Math.random(), undefined, { signal, ref: false }).catch(() => undefined);
    if (signal.aborted) return;
    try {
      const count = await blobs.sweep({ writtenBefore: Date.now() - keepMs, limit: TASKS_A_PASS, signal });
      if (count > 0) log.info({ count }, 'removed the files of expired tasks');
    } catch (error) {
      log.warn({ err: error }, 'the blob folder was not swept; the next pass tries again');
    }
  }
}

/**
 * For how long after a file was written somebody may still read it: its task runs on to the last moment that it may, and
 * is then readable as an ended one.
 */
export function blobLifeMs(catalog: Catalog, resultRetentionMs: number): number {
  const isTask = (tool: Tool): tool is TaskTool => tool.task !== 'never';
  const longestMs = Math.max(0, ...[...catalog.values()].filter(isTask).map((tool) => taskTtl(tool).maxTtlMs));
  return longestMs + SETTLEMENT_GRACE_MS + resultRetentionMs;
}
