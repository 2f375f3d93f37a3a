import { log } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { ActBatch } from '../protocol/act.ts';
import { StoreDown } from '../store/store-down.ts';

/** Who keeps what happened to tasks. Told twice, an act is kept once. */
export interface ActRecorder {
  /** @throws StoreDown */
  record(batch: ActBatch): Promise<void>;
}

export interface ActActivities {
  recordActs(batch: ActBatch): Promise<void>;
}

/** Without a recorder nothing is kept, and no task waits for it. */
export function createActActivities(recorder: ActRecorder | undefined): ActActivities {
  let hasSaid = false;
  return {
    recordActs: async (batch) => {
      if (recorder === undefined) {
        if (!hasSaid) log.debug('without DATABASE_URL no audit is kept');
        hasSaid = true;
        return;
      }
      try {
        await recorder.record(batch);
      } catch (error) {
        if (!(error instanceof StoreDown)) throw error;
        // The front says so, once; not each attempt of each task.
        throw ApplicationFailure.create({
          message: 'The database is away.',
          type: 'StoreDown',
          category: ApplicationFailureCategory.BENIGN,
        });
      }
    },
  };
}
