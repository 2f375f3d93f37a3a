import { activityInfo, heartbeat, sleep } from '@temporalio/activity';
import type { HeartbeatDetails } from './attempt.ts';

interface Progress extends HeartbeatDetails {
  readonly doneSeconds: number;
}

/** Takes `seconds`, less what an earlier attempt has already done; ends at once when it is cancelled. */
export async function slowCompute({ seconds }: { seconds: number }): Promise<{ readonly seconds: number }> {
  const earlier = activityInfo().heartbeatDetails as Progress | undefined;
  for (let done = earlier?.doneSeconds ?? 0; done < seconds; done += 1) {
    heartbeat({ message: `${done} of ${seconds} s`, doneSeconds: done } satisfies Progress);
    await sleep(1_000);
  }
  return { seconds };
}
