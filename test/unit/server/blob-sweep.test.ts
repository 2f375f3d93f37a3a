import { describe, expect, it } from '@jest/globals';
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { blobLifeMs, sweepBlobs } from '../../../server/blob-sweep.ts';
import type { Log } from '../../../server/log.ts';
import { FolderBlobStore } from '../../../store/folder-blobs.ts';
import { createCatalog, defineTool, toolResult, type Tool } from '../../../workflows/tool.ts';
import { eventually } from '../../support/eventually.ts';
import { listed } from '../../support/listed-files.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const DAY_MS = 86_400_000;
const CALLER = 'a'.repeat(32);
const [EXPIRED, KEPT] = ['e'.repeat(22), 'k'.repeat(22)];

describe('sweepBlobs', () => {
  it('removes expired files again and again, says so, goes on after a failure, and ends', async () => {
    const root = await temporaryFolder();
    const store = new FolderBlobStore(root);
    const put = async (taskId: string, ageMs: number): Promise<void> => {
      await store.put({ caller: CALLER, taskId }, { name: 'a.txt', mimeType: 'text/plain', bytes: Buffer.from('a') });
      const at = new Date(Date.now() - ageMs);
      await utimes(join(root, CALLER, taskId), at, at);
    };
    const said: unknown[] = [];
    const log = { info: (entry: object) => said.push(entry), warn: () => said.push('failed') } as Pick<
      Log,
      'info' | 'warn'
    >;
    const end = new AbortController();
    let passCount = 0;
    const blobs = {
      sweep: async (options: Parameters<FolderBlobStore['sweep']>[0]): Promise<number> => {
        passCount += 1;
        return passCount === 1 ? Promise.reject(new Error('out of reach')) : store.sweep(options);
      },
    };
    await put(KEPT, DAY_MS);
    const sweeping = sweepBlobs({ blobs, log, keepMs: 2 * DAY_MS, signal: end.signal, everyMs: 10 });
    for (let round = 0; round < 2; round += 1) {
      await put(EXPIRED, 3 * DAY_MS);
      await eventually(async () => {
        expect(await listed(store, CALLER)).toEqual([`${KEPT}/a.txt`]);
      });
    }
    end.abort();
    await sweeping;
    const stoppedAt = passCount;
    expect(said).toEqual(['failed', { count: 1 }, { count: 1 }]);
    expect(stoppedAt).toBeGreaterThan(2);
  });
});

describe('blobLifeMs', () => {
  const aTool = (name: string, more: { ttlMs?: number; maxTtlMs?: number }): Tool =>
    defineTool({
      name,
      title: name,
      description: name,
      task: 'optional',
      input: (z) => z.object({}),
      run: async () => toolResult(''),
      ...more,
    });

  it('is the longest life of a task, its settlement and the retention of its result', () => {
    const short = aTool('short', { maxTtlMs: DAY_MS });
    const long = aTool('long', { ttlMs: 40 * DAY_MS });
    expect(blobLifeMs(createCatalog([short]), DAY_MS)).toBe((1 + 7 + 1) * DAY_MS);
    expect(blobLifeMs(createCatalog([short, aTool('plain', {})]), DAY_MS)).toBe((30 + 7 + 1) * DAY_MS);
    expect(blobLifeMs(createCatalog([short, long]), DAY_MS)).toBe((40 + 7 + 1) * DAY_MS);
  });
});
