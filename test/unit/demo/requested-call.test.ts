import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { requestedCall } from '../../../demo/requested-call.ts';
import { hireCandidate } from '../../../workflows/tools/hire-candidate.ts';

const now = Date.parse('2026-12-01T12:00:00Z');
const HIRING = 'demo/hirings/backend-engineer.json';

describe('requestedCall', () => {
  it.each(['csv', 'json'])('hands a purchase request over as it is: %s', (format) => {
    expect(requestedCall(`a.${format}`, '{"vendor": 1', { now })).toEqual({
      tool: 'purchase_order',
      args: { document: { format, text: '{"vendor": 1' } },
    });
  });

  it.each(['{"vendor": "V"}', 'null', '[]', '{"tool": "x"}'])(
    'takes JSON without a tool for a purchase request: %s',
    (text) => {
      expect(requestedCall('a.json', text, { now, within: '5' }).args).toEqual({
        document: { format: 'json', text },
        decideWithinSeconds: 5,
      });
    },
  );

  it('calls the tool that a file names, with days that have not passed, and arguments that the tool takes', async () => {
    const { tool, args } = requestedCall(HIRING, await readFile(HIRING, 'utf8'), { now });
    expect(tool).toBe('hire_candidate');
    expect(args['offer']).toMatchObject({ startDate: '2027-01-30' });
    expect(hireCandidate.input(z).safeParse(args).error).toBeUndefined();
  });
});

describe('the tool', () => {
  it('wants the letter that a criterion scores', async () => {
    const { args } = requestedCall(HIRING, await readFile(HIRING, 'utf8'), { now });
    const { letter: _, ...unwritten } = args;
    expect(hireCandidate.input(z).safeParse(unwritten).error?.issues).toMatchObject([{ path: ['letter'] }]);
  });

  it('says nothing of the candidate in its summary', () => {
    const summary = hireCandidate.summary?.({ position: { title: 'Engineer' }, candidate: { name: 'Robin' } });
    expect(summary).toBe('Engineer');
  });
});
