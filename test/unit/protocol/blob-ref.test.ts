import { describe, expect, it } from '@jest/globals';
import { fileNameOf, taskFileUri } from '../../../protocol/blob-ref.ts';

const TASK_ID = 'ZOdJ7sdnGGJrtLaecBRXJg';

describe('the name of a file of a task', () => {
  it.each(['order.pdf', 'Bestellung für März.pdf', 'a b%20c.txt'])('is read out of its URI: %s', (name) => {
    expect(fileNameOf(taskFileUri(TASK_ID, name), TASK_ID)).toBe(name);
  });

  it.each([
    ['of another task', taskFileUri('another', 'order.pdf')],
    ['without a name', taskFileUri(TASK_ID, '')],
    ['in another spelling', `task://${TASK_ID}/o%72der.pdf`],
    ['that cannot be decoded', `task://${TASK_ID}/%ff`],
  ])('is none for a URI %s', (_what, uri) => {
    expect(fileNameOf(uri, TASK_ID)).toBeUndefined();
  });
});
