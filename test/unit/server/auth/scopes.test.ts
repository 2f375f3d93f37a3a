import { describe, expect, it } from '@jest/globals';
import { SERVED_METHODS } from '../../../../protocol/methods.ts';
import { missingScopes, requiredScopes } from '../../../../server/auth/scopes.ts';

describe('requiredScopes', () => {
  it('asks of every method that is served what it does to tasks', () => {
    const table = Object.fromEntries(SERVED_METHODS.map((method) => [method, requiredScopes(method).join(' ')]));
    expect(table).toEqual({
      'server/discover': '',
      initialize: '',
      ping: '',
      'tools/list': '',
      'tools/call': 'tasks:write',
      'resources/list': 'tasks:read',
      'resources/templates/list': 'tasks:read',
      'resources/read': 'tasks:read',
      'tasks/get': 'tasks:read',
      'tasks/update': 'tasks:write',
      'tasks/cancel': 'tasks:write',
      'tasks/result': 'tasks:read',
      'tasks/list': 'tasks:read',
      'subscriptions/listen': 'tasks:read',
      'notifications/initialized': '',
      'notifications/cancelled': '',
    });
  });

  it('adds what the called tool wants, each once', () => {
    const tool = { scopes: ['orders:post', 'tasks:write'] };
    expect(requiredScopes('tools/call', tool)).toEqual(['tasks:write', 'orders:post']);
    expect(requiredScopes('tasks/get', tool)).toEqual(['tasks:read']);
  });

  it('lets a tool that only shows tasks do with reading', () => {
    expect(requiredScopes('tools/call', { onlyReads: true })).toEqual(['tasks:read']);
  });
});

describe('missingScopes', () => {
  it('lists all that are missing', () => {
    expect(missingScopes(['a', 'b', 'c'], new Set(['b']))).toEqual(['a', 'c']);
    expect(missingScopes(['a'], new Set(['a', 'z']))).toEqual([]);
  });

  it('compares whole scopes: none stands for another', () => {
    expect(missingScopes(['tasks:read'], new Set(['tasks', 'tasks:*', 'TASKS:READ', 'tasks:write']))).toEqual([
      'tasks:read',
    ]);
  });

  it('misses nothing where nobody signs in', () => {
    expect(missingScopes(['a'], 'all')).toEqual([]);
  });
});
