/** Where a file or a large result stands in the blob store. */
export interface BlobRef {
  /** Relative to the store: `<caller>/<taskId>/<name>`. */
  readonly key: string;
  readonly sha256: string;
  readonly bytes: number;
}

/** The URI under which a task's file is a resource of its caller. */
export function taskFileUri(taskId: string, name: string): string {
  return `task://${taskId}/${encodeURIComponent(name)}`;
}
