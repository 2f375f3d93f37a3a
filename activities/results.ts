/** Results that are too large for a workflow's history. */
import { heartbeat } from '@temporalio/activity';
import type { BlobRef } from '../protocol/blob-ref.ts';
import type { ToolResult } from '../protocol/task.ts';
import { BlobStoreError, type BlobStore, type FileOwner } from '../store/blobs.ts';
import type { HeartbeatDetails } from './attempt.ts';

/** The name under which a task's result is filed; the underscore keeps it out of the caller's resources. */
export const RESULT_NAME = '_result.json';

const NOT_STORED: HeartbeatDetails = {
  message:
    'The result is ready, but its file cannot be stored at the moment; it is tried again. The operator has to make room.',
};

export interface ResultActivities {
  /** Filing the same result again is harmless. As long as it cannot be filed, its caller is told so. */
  storeResult(args: FileOwner & { readonly result: ToolResult }): Promise<BlobRef>;
}

export function createResultActivities(blobs: BlobStore): ResultActivities {
  return {
    async storeResult({ caller, taskId, result }) {
      const bytes = Buffer.from(JSON.stringify(result));
      const file = { name: RESULT_NAME, mimeType: 'application/json', bytes };
      try {
        return (await blobs.put({ caller, taskId }, file)).ref;
      } catch (error) {
        if (error instanceof BlobStoreError) heartbeat(NOT_STORED);
        throw error;
      }
    },
  };
}
