import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { TASK_ID_PATTERN } from '../../../../protocol/extension.ts';
import { placesOf, taskIdFor } from '../../../../server/temporal/task-ids.ts';
import { testCaller } from '../../../support/test-caller.ts';
import { verifies } from '../../../support/verifies.ts';

const key = randomBytes(32);
const ada = testCaller('a'.repeat(32));
const eve = testCaller('e'.repeat(32));

describe('taskIdFor', () => {
  it('makes 128 bits without a key, each of which is as often 1 as 0, and no id twice', () => {
    verifies('sec.entropy');
    const count = 4_000;
    const ids = Array.from({ length: count }, () => taskIdFor(key, ada.principal, undefined));
    expect(ids.filter((id) => !TASK_ID_PATTERN.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(count);
    const ones = new Array<number>(128).fill(0);
    for (const id of ids) {
      const bytes = Buffer.from(id, 'base64url');
      expect(bytes).toHaveLength(16);
      for (let bit = 0; bit < 128; bit += 1) ones[bit]! += (bytes[bit >> 3]! >> (bit & 7)) & 1;
    }
    // Seven standard deviations: once in a hundred million runs by chance.
    const most = 7 * Math.sqrt(count / 4);
    expect(ones.filter((found) => Math.abs(found - count / 2) > most)).toEqual([]);
  });

  it('makes with a key what only the secret of the server leads to', () => {
    verifies('sec.entropy');
    const id = taskIdFor(key, ada.principal, 'order-1');
    expect(id).toMatch(TASK_ID_PATTERN);
    expect(taskIdFor(key, ada.principal, 'order-1')).toBe(id);
    const others = [
      taskIdFor(randomBytes(32), ada.principal, 'order-1'),
      taskIdFor(key, eve.principal, 'order-1'),
      taskIdFor(key, ada.principal, 'order-2'),
      createHash('sha256').update(`task\0${ada.principal}\0order-1`).digest().subarray(0, 16).toString('base64url'),
    ];
    expect(new Set([id, ...others]).size).toBe(5);
  });
});

describe('placesOf', () => {
  it('looks for an id under each principal of the caller, and for what can be none under an id that nobody has', () => {
    const under = (principal: string, taskId: string) => ({ principal, workflowId: `mcp-task/${principal}/${taskId}` });
    const taskId = taskIdFor(key, ada.principal, undefined);
    const former = eve.principal;
    const both = { ...ada, formerPrincipal: former };
    expect(placesOf(both, taskId)).toEqual([under(ada.principal, taskId), under(former, taskId)]);
    for (const malformed of ['', '../../x', `${taskId}!`, 'x'.repeat(5_000)]) {
      const sought = placesOf(both, malformed).map(({ workflowId }) => workflowId.split('/')[2]);
      expect(sought).toEqual([expect.stringMatching(TASK_ID_PATTERN), sought[0]]);
      // The same each time: one that is asked for anew costs Temporal more than one that it has been asked for.
      expect(placesOf(ada, malformed)).toEqual([under(ada.principal, sought[0]!)]);
    }
  });
});
