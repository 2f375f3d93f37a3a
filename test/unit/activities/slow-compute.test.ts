import { describe, expect, it } from '@jest/globals';
import { CancelledFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { slowCompute } from '../../../activities/slow-compute.ts';

describe('slowCompute', () => {
  it('reports its progress and goes on where an earlier attempt was', async () => {
    const environment = new MockActivityEnvironment({ heartbeatDetails: { message: '59 of 60 s', doneSeconds: 59 } });
    const beats: unknown[] = [];
    environment.on('heartbeat', (details) => beats.push(details));
    expect(await environment.run(slowCompute, { seconds: 60 })).toEqual({ seconds: 60 });
    expect(beats).toEqual([{ message: '59 of 60 s', doneSeconds: 59 }]);
  });

  it('stops when it is cancelled', async () => {
    const environment = new MockActivityEnvironment();
    const computing = environment.run(slowCompute, { seconds: 3_600 });
    environment.once('heartbeat', () => undefined);
    environment.cancel('CANCELLED');
    await expect(computing).rejects.toBeInstanceOf(CancelledFailure);
  });
});
