import { describe, expect, it } from '@jest/globals';
import { approvalPath, isInboxPath, returnPath } from '../../../../server/inbox/paths.ts';

describe('returnPath', () => {
  it.each(['/inbox', '/inbox/tasks', '/inbox/approvals/6f9619ff-8b86-d011-b42d-00c04fc964ff'])('keeps %s', (path) => {
    expect(returnPath(path)).toBe(path);
  });

  it.each([
    undefined,
    '',
    '/',
    '/mcp',
    '/inboxes',
    '//evil.example',
    '/\\evil.example',
    '/inbox//evil.example',
    '/inbox/../mcp',
    '/inbox/%2e%2e/mcp',
    '/inbox\n/x',
    '/inbox?x=//evil.example',
    'https://evil.example/inbox',
    'javascript:alert(1)',
  ])('leads to the inbox instead of %j', (path) => {
    expect(returnPath(path)).toBe('/inbox');
  });
});

describe('isInboxPath', () => {
  it('takes the inbox and what is below it', () => {
    const paths = ['/inbox', '/inbox/', '/inbox/approvals/x', '/inboxes', '/', '/mcp'];
    expect(paths.map(isInboxPath)).toEqual([true, true, true, false, false, false]);
  });
});

describe('approvalPath', () => {
  it('keeps an id within its part of the path', () => {
    expect(approvalPath('../x?y#z')).toBe('/inbox/approvals/..%2Fx%3Fy%23z');
  });
});
