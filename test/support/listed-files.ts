import type { BlobStore, FilePosition } from '../../store/blobs.ts';

/** All that the store lists, as `taskId/name`. */
export async function listed(store: BlobStore, caller: string, after?: FilePosition): Promise<readonly string[]> {
  const files: string[] = [];
  for await (const { taskId, file } of store.list(caller, after)) files.push(`${taskId}/${file.name}`);
  return files;
}
