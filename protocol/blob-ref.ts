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

/** `undefined`: no file of this task. */
export function fileNameOf(uri: string, taskId: string): string | undefined {
  const encoded = uri.slice(taskFileUri(taskId, '').length);
  try {
    const name = decodeURIComponent(encoded);
    return name !== '' && taskFileUri(taskId, name) === uri ? name : undefined;
  } catch {
    return undefined;
  }
}
