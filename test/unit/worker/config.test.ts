import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readConfig } from '../../../worker/config.ts';

describe('readConfig of the worker', () => {
  it('takes an empty string for unset', () => {
    const names = ['TASK_QUEUE', 'DATA_DIR', 'BLOB_DIR', 'ERP_URL', 'WORKER_PORT', 'DRAIN_MS', 'MAX_CACHED_WORKFLOWS'];
    const empty = Object.fromEntries([...names, 'TEMPORAL_API_KEY'].map((name) => [name, '']));
    expect(readConfig(empty)).toEqual(readConfig({}));
    expect(readConfig(empty)).toMatchObject({ maxCachedWorkflows: undefined, variables: {} });
  });

  it('keeps blobs in the data folder, unless they have one of their own', () => {
    expect(readConfig({ DATA_DIR: 'd' }).blobDir).toBe(resolve('d/blobs'));
    expect(readConfig({ DATA_DIR: 'd', BLOB_DIR: 'b' }).blobDir).toBe(resolve('b'));
  });

  it('reports every problem at once', () => {
    const bad = { WORKER_PORT: '70000', ERP_URL: 'nowhere', DRAIN_MS: '-1', LOG_LEVEL: 'loud' };
    expect(() => readConfig(bad)).toThrow(/- ERP_URL: [^]*- WORKER_PORT: [^]*- DRAIN_MS: [^]*- LOG_LEVEL: /);
  });
});
