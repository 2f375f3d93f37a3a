import { expect } from '@jest/globals';
import { eventually } from './eventually.ts';
import type { ListenStream } from './listen-client.ts';

/** The server ends the stream, as a subscription has to end. */
export async function endsWithResult(stream: ListenStream, withinMs: number): Promise<void> {
  let how: string | undefined;
  void stream.ended.then((ended) => (how = ended));
  await eventually(() => how !== undefined, withinMs);
  const result = expect.objectContaining({ resultType: 'complete' });
  expect([how, stream.frames.at(-1)]).toEqual(['end', expect.objectContaining({ id: 1, result })]);
}
