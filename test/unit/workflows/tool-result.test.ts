import { describe, expect, it } from '@jest/globals';
import { toolResult } from '../../../workflows/tool.ts';
import { verifies } from '../../support/verifies.ts';

describe('toolResult', () => {
  it('repeats structured content as text, before the links', () => {
    verifies('tools.order');
    const link = { type: 'resource_link', uri: 'task://t/x.pdf', name: 'x.pdf' } as const;
    expect(toolResult('Done', { structured: { count: 1 }, links: [link] })).toEqual({
      content: [{ type: 'text', text: 'Done' }, { type: 'text', text: '{"count":1}' }, link],
      structuredContent: { count: 1 },
    });
  });

  it('leaves the text out of what JSON cannot carry, which is refused when the tool ends', () => {
    expect(toolResult('Done', { structured: { mean: NaN } }).content).toEqual([{ type: 'text', text: 'Done' }]);
  });
});
