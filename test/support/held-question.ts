/** A call that is held while its task asks one question, on the double of the store. */
import type { ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { elicitation, text } from '../../protocol/form.ts';
import type { TestFront } from './test-front.ts';

export const QUESTION = { 'q-1': elicitation('Which cost centre?', { costCentre: text() }) };
export const ACCEPT: ElicitResult = { action: 'accept', content: { costCentre: '1100' } };
export const WORK = { name: 'work', arguments: { what: 'x' } };

export function onlyTask({ store }: TestFront): string {
  const [taskId = ''] = store.entries.keys();
  return taskId;
}

/** The answers that its task was given. */
export function delivered(front: TestFront): readonly unknown[] {
  return front.store.entries.get(onlyTask(front))?.delivered ?? [];
}
