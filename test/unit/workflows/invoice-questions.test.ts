import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { AskedInvoice, MatchSummary } from '../../../activities/invoices/match-summary.ts';
import type { JsonObject } from '../../../protocol/task.ts';
import { askRequester, type Answered } from '../../../workflows/invoice-questions.ts';
import { toolFailure, type TaskContext } from '../../../workflows/tool.ts';

const MAX_CHARS = 40_000;

function asked(count: number, more: Partial<AskedInvoice> = {}): readonly AskedInvoice[] {
  return Array.from({ length: count }, (_, index) => ({
    index: index + 1,
    number: `RE-${String(index + 1)}`,
    title: `Invoice RE-${String(index + 1)}`,
    text: 'Price 199.90 EUR, ordered at 189.90 EUR',
    needsOrder: false,
    candidates: [],
    ...more,
  }));
}

type Reply = JsonObject | 'cannot be asked';

/** What comes of it, and the sizes of what was asked at once, in questions and in characters. */
async function ask(
  invoices: readonly AskedInvoice[],
  replyTo: (place: number, batch: number) => Reply,
): Promise<{ answered: Answered; sizes: readonly number[]; chars: readonly number[] }> {
  const batches: object[][] = [];
  let isOpen = false;
  const task = {
    ask: async (request: object) => {
      if (!isOpen) batches.push([]);
      isOpen = true;
      batches.at(-1)!.push(request);
      await setImmediate();
      isOpen = false;
      const [name = ''] = Object.keys(request);
      const reply = replyTo(Number(name.split('-')[1]), batches.length);
      if (reply === 'cannot be asked') throw toolFailure('no client');
      return { [name]: reply };
    },
  } as unknown as TaskContext;
  const summary = { ask: invoices, decisions: ['accept', 'reject', 'hold'] } as unknown as MatchSummary;
  const answered = await askRequester(task, summary);
  const chars = batches.map((batch) => JSON.stringify(Object.assign({}, ...batch)).length);
  return { answered, sizes: batches.map(({ length }) => length), chars };
}

const decides = (decision: string, more: JsonObject = {}): JsonObject => ({
  action: 'accept',
  content: { decision, ...more },
});

describe('askRequester', () => {
  it('asks about twenty at once, and has an answer to each one over all batches', async () => {
    const { answered, sizes } = await ask(asked(45), (place) => decides(place % 2 === 0 ? 'accept' : 'reject'));
    expect(sizes).toEqual([20, 20, 5]);
    const places = [...answered.accepted, ...answered.outcomes.map(({ index }) => index)];
    expect(places.toSorted((one, other) => one - other)).toEqual(asked(45).map(({ index }) => index));
    expect(answered.accepted.every((place) => place % 2 === 0)).toBe(true);
  });

  it('asks about fewer where the words are long, so that all that is open fits', async () => {
    const { sizes, chars } = await ask(asked(30, { text: 'x'.repeat(4_000) }), () => decides('accept'));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(30);
    expect(Math.max(...chars)).toBeLessThanOrEqual(MAX_CHARS);
    expect(Math.min(...sizes.slice(0, -1))).toBeGreaterThan(1);
  });

  it('decides nothing for a batch that cannot be asked, and still asks the next one', async () => {
    const { answered } = await ask(asked(21), (_, batch) => (batch === 1 ? 'cannot be asked' : decides('accept')));
    expect(answered.accepted).toEqual([21]);
    expect(answered.outcomes.map(({ kind }) => kind)).toEqual(Array.from({ length: 20 }, () => 'undecided'));
  });

  it('takes no yes to an invoice without an order, but the order that it is for', async () => {
    const replies = [
      decides('accept'),
      decides('match', { orderNumber: ' PO-1 ' }),
      decides('match', { orderNumber: ' ' }),
      decides('hold', { note: 'Not\nyet' }),
      { action: 'decline' },
    ];
    const { answered } = await ask(asked(replies.length, { needsOrder: true }), (place) => replies[place - 1]!);
    expect(answered).toEqual({
      accepted: [],
      orderNumbers: { 2: 'PO-1' },
      outcomes: [
        { index: 1, kind: 'held', note: 'By the requester' },
        { index: 3, kind: 'held', note: 'No order was named' },
        { index: 4, kind: 'held', note: 'By the requester: Not yet' },
        { index: 5, kind: 'held', note: 'Not answered by the requester' },
      ],
    });
  });
});
