import { describe, expect, it } from '@jest/globals';
import { takesEventStream } from '../../../server/accept-header.ts';

describe('takesEventStream', () => {
  it.each([
    undefined,
    '*/*',
    'text/*',
    'Text/Event-Stream',
    'application/json, text/event-stream',
    'application/*, text/event-stream;q=0.5',
    'application/json,text/event-stream; charset=utf-8 ; q=0.001',
  ])('says yes to %j', (accept) => {
    expect(takesEventStream(accept)).toBe(true);
  });

  it.each(['', 'application/json', 'text/html', 'text/event-stream;q=0', '*/*; Q=0.00', 'text/event-streams'])(
    'says no to %j',
    (accept) => {
      expect(takesEventStream(accept)).toBe(false);
    },
  );
});
