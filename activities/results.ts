/** Results that are too large for a workflow's history. */
import type { BlobRef } from '../protocol/blob-ref.ts';
import type { ToolResult } from '../protocol/task.ts';
import type { BlobStore, FileOwner } from '../store/blobs.ts';

/** The name under which a task's result is filed; the underscore keeps it out of the caller's resources. */
export const RESULT_NAME = '_result.json';

export interface ResultActivities {
  /** Filing the same result again is harmless. */
  storeResult(args: FileOwner & { readonly result: ToolResult }): Promise<BlobRef>;
}

export function createResultActivities(blobs: BlobStore): ResultActivities {
  return {
    async storeResult({ caller, taskId, result }) {
      const bytes = Buffer.from(JSON.stringify(result));
      const { ref } = await blobs.put({ caller, taskId }, { name: RESULT_NAME, mimeType: 'application/json', bytes });
      return ref;
    },
  };
}
