/** The attempt that an activity runs in: its heartbeat, and whether Temporal still counts on it. */
import { Context, heartbeat } from '@temporalio/activity';

const HEARTBEAT_EVERY_MS = 1_000;
/** What is left of the heartbeat window when an effect is let go, for the way to the other side. */
const WINDOW_SHARE = 0.6;
const CONFIRM_WITHIN_MS = 2_000;

/** What a waiting activity reports; the front shows `message` as the status message. */
export interface HeartbeatDetails {
  readonly message: string;
}

/**
 * Runs `work` with a heartbeat every second, so that a lost worker is noticed within the heartbeat time-out, and a
 * cancel reaches the activity. `say` changes what the heartbeats report.
 */
export async function withHeartbeats<T>(
  message: string,
  work: (say: (message: string) => void) => Promise<T>,
): Promise<T> {
  let details: HeartbeatDetails = { message };
  const beat = (): void => heartbeat(details);
  beat();
  const timer = setInterval(beat, HEARTBEAT_EVERY_MS);
  try {
    return await work((next) => {
      if (next === details.message) return;
      details = { message: next };
      beat();
    });
  } finally {
    clearInterval(timer);
  }
}

/** Says whether the confirmation still holds at this moment. */
export type StillCurrent = () => boolean;
export type ConfirmAttempt = () => Promise<StillCurrent>;

/**
 * Asks Temporal whether this attempt still counts, which also opens a fresh heartbeat window. Whoever was stopped in the
 * meantime finds the window passed, on the monotonic clock or, after a suspend, on the wall clock.
 *
 * @throws when the attempt was given up, or Temporal cannot be asked: either way, send nothing
 */
export const confirmWithTemporal: ConfirmAttempt = async () => {
  const { client, info } = Context.current();
  const monotonic = performance.now();
  const wall = Date.now();
  await client.withDeadline(Date.now() + CONFIRM_WITHIN_MS, () =>
    client.workflowService.recordActivityTaskHeartbeat({ namespace: info.namespace, taskToken: info.taskToken }),
  );
  const windowMs = (info.heartbeatTimeoutMs ?? 0) * WINDOW_SHARE;
  return () => performance.now() - monotonic < windowMs && Math.abs(Date.now() - wall) < windowMs;
};
