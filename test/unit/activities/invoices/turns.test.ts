import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { Turns } from '../../../../activities/invoices/turns.ts';

/** What runs until it is told to end, by name. */
function stage(turns: Turns) {
  const running = new Map<string, () => void>();
  const begin = (owner: string, name: string): void => {
    void turns.take(owner, () => new Promise<void>((resolve) => running.set(name, resolve)));
  };
  const end = async (name: string): Promise<void> => {
    running.get(name)?.();
    running.delete(name);
    await setImmediate();
  };
  const now = async (): Promise<string[]> => {
    await setImmediate();
    return [...running.keys()].toSorted();
  };
  return { begin, end, now };
}

describe('turns', () => {
  it('leave room for others, however many one of them wants', async () => {
    const { begin, end, now } = stage(new Turns(2, 1));
    for (const name of ['a1', 'a2', 'a3']) begin('a', name);
    expect(await now()).toEqual(['a1']);
    begin('b', 'b1');
    expect(await now()).toEqual(['a1', 'b1']);
    begin('c', 'c1');
    await end('a1');
    expect(await now()).toEqual(['a2', 'b1']);
    await end('b1');
    expect(await now()).toEqual(['a2', 'c1']);
    await end('a2');
    expect(await now()).toEqual(['a3', 'c1']);
  });

  it('are given back by what fails', async () => {
    const turns = new Turns(1, 1);
    await expect(turns.take('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await turns.take('a', async () => 'yes')).toBe('yes');
  });
});
