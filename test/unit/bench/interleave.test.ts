import { describe, expect, it } from '@jest/globals';
import { callsOf, interleave, warmUp } from '../../bench/interleave.ts';

/** A pair that notes who was called with what. */
function notingPair() {
  const notes: string[] = [];
  const call = (name: string) => async (index: number) => notes.push(`${name}${index}`);
  return { notes, pair: { op: 'note', ours: call('a'), raw: call('b') } };
}

describe('interleaved calls', () => {
  it('take turns after each call when one is in flight', async () => {
    const { notes, pair } = notingPair();
    const { ours, raw } = await interleave(pair, { inFlight: 1, callCount: 3 }, 0);
    expect(notes.slice(-6)).toEqual(['a6', 'b6', 'a7', 'b7', 'a8', 'b8']);
    expect([ours.durationsMs.length, raw.durationsMs.length]).toEqual([3, 3]);
  });

  it('give each side as many indices as announced, each once', async () => {
    const { notes, pair } = notingPair();
    const load = { inFlight: 8, callCount: 40 };
    await interleave(pair, load, 100);
    const indices = notes.filter((note) => note.startsWith('a')).map((note) => Number(note.slice(1)));
    expect(new Set(indices).size).toBe(indices.length);
    expect(indices).toHaveLength(callsOf(load));
    expect(Math.min(...indices)).toBe(100);
    expect(Math.max(...indices)).toBe(100 + callsOf(load) - 1);
  });

  it('never have more calls in flight than asked for', async () => {
    let inFlight = 0;
    let most = 0;
    const call = async (): Promise<void> => {
      inFlight += 1;
      most = Math.max(most, inFlight);
      await Promise.resolve();
      inFlight -= 1;
    };
    await interleave({ op: 'count', ours: call, raw: call }, { inFlight: 8, callCount: 40 }, 0);
    expect(most).toBe(8);
  });

  it('end with the first call that fails', async () => {
    const refused = async (): Promise<never> => Promise.reject(new Error('refused'));
    const answered = async (): Promise<void> => undefined;
    const load = { inFlight: 8, callCount: 8 };
    await expect(interleave({ op: 'fail', ours: answered, raw: refused }, load, 0)).rejects.toThrow('refused');
  });
});

describe('warmUp', () => {
  it('makes as many calls of each side as the pair says, in turn, and none when it says nothing', async () => {
    const made: string[] = [];
    const pair = {
      op: 'any',
      ours: async (index: number) => made.push(`ours ${String(index)}`),
      raw: async (index: number) => made.push(`raw ${String(index)}`),
    };
    await warmUp(pair);
    expect(made).toEqual([]);
    await warmUp({ ...pair, warmUpCount: 2 });
    expect(made).toEqual(['ours 0', 'raw 0', 'ours 1', 'raw 1']);
  });
});
