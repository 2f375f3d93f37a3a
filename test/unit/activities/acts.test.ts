import { describe, expect, it } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createActActivities, type ActRecorder } from '../../../activities/acts.ts';
import type { ActBatch } from '../../../protocol/act.ts';
import { StoreDown } from '../../../store/store-down.ts';

const BATCH: ActBatch = { task: { workflowId: 'w', taskId: 't', tool: 'buy', caller: 'p' }, acts: [], queue: [] };

function record(recorder: ActRecorder | undefined): Promise<unknown> {
  const activities = createActActivities(recorder);
  return new MockActivityEnvironment().run(() => activities.recordActs(BATCH));
}

describe('recordActs', () => {
  it('hands over what the task told', async () => {
    const told: ActBatch[] = [];
    await record({ record: async (batch) => void told.push(batch) });
    expect(told).toEqual([BATCH]);
  });

  it('answers at once without a database', async () => {
    await expect(record(undefined)).resolves.toBeUndefined();
  });

  it('is tried again, without an alarm, while the database is away', async () => {
    const away = record({ record: () => Promise.reject(new StoreDown()) });
    await expect(away).rejects.toMatchObject({ type: 'StoreDown', category: 'BENIGN', nonRetryable: false });
    const broken = createActActivities({ record: () => Promise.reject(new Error('no such table')) });
    await expect(broken.recordActs(BATCH)).rejects.toThrow('no such table');
  });
});
