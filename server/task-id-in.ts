/**
 * The task that a request names. The store is asked for whatever that is, so that what cannot be an id is answered as, and
 * when, an unknown id is.
 */
export function taskIdIn({ taskId }: Readonly<Record<string, unknown>>): string {
  return typeof taskId === 'string' ? taskId : '';
}
