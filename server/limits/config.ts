/** How much one caller, and all of them together, may ask of the server, in the environment of a front. */
import { z } from 'zod';
import { ConfigError } from '../../protocol/config-error.ts';
import { MAX_BODY_BYTES } from '../read-body.ts';

/** Each of them far above what a client does that keeps to the intervals it is told. */
export interface LimitsConfig {
  /** `tools/call` of a caller, over all fronts that share a database. */
  readonly callsPerMinute: number;
  /** Reads of tasks of a caller, at each front. */
  readonly pollsPerSecond: number;
  /** Tasks of a caller that have not ended; known with a delay of seconds. */
  readonly openTasks: number;
  /** Open streams of task notifications of a caller, at each front. */
  readonly streams: number;
  /** Answers that a task takes, at each front. Temporal itself takes 10,000 signals for one run. */
  readonly answersPerTask: number;
  /** From one address, over all fronts that share a database. */
  readonly failedSignInsPerMinute: number;
  /** Of all bodies that a front is reading, of whomever; small ones are not counted. */
  readonly bodyBytesAtOnce: number;
  /** Of one uploaded file. Of all that it is reading at once a front holds three times as much. */
  readonly uploadBytes: number;
  /** Uploaded files of a caller that are kept, and their bytes together. */
  readonly uploads: number;
  readonly uploadedBytes: number;
}

/** Open streams of task notifications of one process, whoever has them. */
export const MAX_STREAMS = 1_000;

const MAX_UPLOAD_BYTES = 100 * 1024 * 1024;

export const DEFAULT_LIMITS: LimitsConfig = {
  callsPerMinute: 6_000,
  pollsPerSecond: 1_000,
  openTasks: 10_000,
  // Without sign-in every client of this machine is the same caller.
  streams: 750,
  answersPerTask: 5_000,
  failedSignInsPerMinute: 300,
  bodyBytesAtOnce: 64 * 1024 * 1024,
  uploadBytes: 20 * 1024 * 1024,
  uploads: 500,
  uploadedBytes: 1024 * 1024 * 1024,
};

interface Range {
  readonly min?: number;
  readonly max?: number;
  /** Why these, for whoever is outside. */
  readonly reason?: string;
}

const wholeCount = (fallback: number, { min = 1, max = 1_000_000_000, reason }: Range = {}): z.ZodType<number> =>
  z
    .string()
    .default(String(fallback))
    .transform(Number)
    .refine((value) => Number.isSafeInteger(value) && value >= min && value <= max, {
      error: `must be a whole number from ${min} to ${max}${reason === undefined ? '' : `: ${reason}`}`,
    });

const environment = z.object({
  LIMIT_CALLS_PER_MINUTE: wholeCount(DEFAULT_LIMITS.callsPerMinute),
  LIMIT_POLLS_PER_SECOND: wholeCount(DEFAULT_LIMITS.pollsPerSecond),
  LIMIT_OPEN_TASKS: wholeCount(DEFAULT_LIMITS.openTasks),
  LIMIT_STREAMS: wholeCount(DEFAULT_LIMITS.streams, {
    max: MAX_STREAMS,
    reason: 'a front serves no more to all callers together',
  }),
  LIMIT_ANSWERS_PER_TASK: wholeCount(DEFAULT_LIMITS.answersPerTask, { max: 9_000 }),
  LIMIT_FAILED_SIGN_INS_PER_MINUTE: wholeCount(DEFAULT_LIMITS.failedSignInsPerMinute),
  LIMIT_BODY_BYTES_AT_ONCE: wholeCount(DEFAULT_LIMITS.bodyBytesAtOnce, {
    min: MAX_BODY_BYTES,
    reason: 'a single body may be as large as the least of them',
  }),
  LIMIT_UPLOAD_BYTES: wholeCount(DEFAULT_LIMITS.uploadBytes, {
    max: MAX_UPLOAD_BYTES,
    reason: 'a front holds it in memory while it comes',
  }),
  LIMIT_UPLOADS: wholeCount(DEFAULT_LIMITS.uploads, {
    max: 10_000,
    reason: 'each upload looks at those that are kept',
  }),
  LIMIT_UPLOADED_BYTES: wholeCount(DEFAULT_LIMITS.uploadedBytes, { max: Number.MAX_SAFE_INTEGER }),
});

/** @throws ConfigError that lists every problem */
export function readLimits(variables: Readonly<Record<string, string>>): LimitsConfig {
  const parsed = environment.safeParse(variables);
  if (!parsed.success) throw new ConfigError(parsed.error.issues);
  const values = parsed.data;
  return {
    callsPerMinute: values.LIMIT_CALLS_PER_MINUTE,
    pollsPerSecond: values.LIMIT_POLLS_PER_SECOND,
    openTasks: values.LIMIT_OPEN_TASKS,
    streams: values.LIMIT_STREAMS,
    answersPerTask: values.LIMIT_ANSWERS_PER_TASK,
    failedSignInsPerMinute: values.LIMIT_FAILED_SIGN_INS_PER_MINUTE,
    bodyBytesAtOnce: values.LIMIT_BODY_BYTES_AT_ONCE,
    uploadBytes: values.LIMIT_UPLOAD_BYTES,
    uploads: values.LIMIT_UPLOADS,
    uploadedBytes: values.LIMIT_UPLOADED_BYTES,
  };
}
