import { describe, expect, it } from '@jest/globals';
import { next, seedState, type TaskEvent, type TaskState } from '../../../protocol/task-state.ts';
import type { DetailedTask } from '../../../protocol/task.ts';
import { TaskUpdates } from '../../../server/task-updates.ts';

const seed = seedState({ taskId: 'T', createdAt: 1_000, ttlMs: 60_000, pollIntervalMs: 1_000 });
const FORM = { method: 'elicitation/create', params: { mode: 'form', message: 'Why?' } } as const;

type Undated = TaskEvent extends infer E ? (E extends TaskEvent ? Omit<E, 'at'> : never) : never;
const after = (state: TaskState, ...events: readonly Undated[]): TaskState =>
  events.reduce((before, event) => next(before, { ...event, at: before.lastUpdatedAt + 1 }), state);
const ask = (key: string): Undated => ({ type: 'asked', requests: { [key]: FORM } });
const answer = (key: string): Undated => ({ type: 'answered', receivedAt: 1_000, keys: [key] });
const report = (message: string): Undated => ({ type: 'reported', message });
const END: Undated = { type: 'ended', outcome: { status: 'cancelled' }, resultRetentionMs: 1_000 };

function offered(...states: readonly TaskState[]): TaskUpdates {
  const updates = new TaskUpdates();
  for (const state of states) updates.offer({ state, life: 0 });
  return updates;
}
/** All that is pending, in words. */
async function taken(updates: TaskUpdates): Promise<string[]> {
  updates.end();
  const seen: string[] = [];
  for await (const task of updates) seen.push(wordsOf(task));
  return seen;
}
function wordsOf(task: DetailedTask): string {
  return task.status === 'input_required'
    ? Object.keys(task.inputRequests).join('+')
    : (task.statusMessage ?? task.status);
}

describe('TaskUpdates', () => {
  it('hands out each state to a reader that keeps up, and ends after the terminal one', async () => {
    const updates = new TaskUpdates();
    const seen: string[] = [];
    const reading = (async () => {
      for await (const task of updates) seen.push(wordsOf(task));
    })();
    let state = seed;
    for (const event of [report('a'), ask('k1'), answer('k1'), END]) {
      updates.offer({ state, life: 0 });
      await new Promise(setImmediate);
      state = after(state, event);
    }
    updates.offer({ state, life: 0 });
    updates.offer({ state: after(seed, report('too late')), life: 1 });
    await reading;
    expect(seen).toEqual(['working', 'a', 'k1', 'a', 'Cancelled']);
  });

  it('merges what nobody has taken', async () => {
    const [a, b] = [after(seed, report('a')), after(seed, report('a'), report('b'))];
    expect(await taken(offered(seed, a, b))).toEqual(['b']);
  });

  it('keeps a state whose request the next state does not show any more', async () => {
    const asked = after(seed, ask('k1'));
    const answered = after(asked, answer('k1'), report('b'));
    expect(
      await taken(offered(seed, asked, answered, after(answered, ask('k2')), after(answered, ask('k2'), END))),
    ).toEqual(['k1', 'k2', 'Cancelled']);
  });

  it('merges states of which the later one still shows every request', async () => {
    const one = after(seed, ask('k1'));
    expect(await taken(offered(one, after(one, ask('k2')), after(one, ask('k2'), report('b'))))).toEqual(['k1+k2']);
  });

  it('ignores what is older, and what looks the same', async () => {
    const older = after(seed, report('a'));
    const newer = after(older, report('b'));
    expect(await taken(offered(newer, older, { ...newer, rev: newer.rev + 1 }, older))).toEqual(['b']);
  });

  it('takes a lower rev of a later life, and none of an earlier one any more', async () => {
    const updates = offered(after(seed, report('a'), ask('k1')));
    updates.offer({ state: after(seed, report('again')), life: 1 });
    updates.offer({ state: after(seed, report('x'), report('y'), report('z')), life: 0 });
    expect(await taken(updates)).toEqual(['k1', 'again']);
  });

  it('takes the terminal state whatever its rev', async () => {
    expect(await taken(offered(after(seed, report('a'), report('b')), after(seed, END)))).toEqual(['Cancelled']);
  });

  it('fails a reader that is a hundred requests behind', async () => {
    const updates = new TaskUpdates();
    let state = seed;
    for (let index = 0; index <= 101; index += 1) {
      state = after(state, ask(`k${String(index)}`));
      updates.offer({ state, life: 0 });
      state = after(state, answer(`k${String(index)}`));
    }
    await expect(taken(updates)).rejects.toThrow('states of task T behind');
  });
});
