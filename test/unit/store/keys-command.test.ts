import { describe, expect, it } from '@jest/globals';
import { KeysUsageError, parseKeysCommand } from '../../../store/keys-command.ts';

const NOW = 1_000_000;
const KEY_ID = '0123456789abcdef';

describe('parseKeysCommand', () => {
  it('makes a key that may read and write tasks and does not expire, unless told otherwise', () => {
    expect(parseKeysCommand(['create', '--subject', 'billing robot'], NOW)).toEqual({
      verb: 'create',
      json: false,
      key: { environment: 'live', subject: 'billing robot', scopes: ['tasks:read', 'tasks:write'] },
    });
  });

  it('takes tenant, scopes, days and environment', () => {
    const told = ['create', '--subject=s', '--tenant=t', '--scopes=tasks:read, a,a', '--expires-days=2', '--env=test'];
    expect(parseKeysCommand([...told, '--json'], NOW)).toEqual({
      verb: 'create',
      json: true,
      key: {
        environment: 'test',
        subject: 's',
        tenant: 't',
        scopes: ['tasks:read', 'a'],
        expiresAt: NOW + 2 * 86_400_000,
      },
    });
  });

  it('lists and revokes', () => {
    expect(parseKeysCommand(['list'], NOW)).toEqual({ verb: 'list', json: false });
    expect(parseKeysCommand(['revoke', KEY_ID, '--json'], NOW)).toEqual({ verb: 'revoke', keyId: KEY_ID, json: true });
  });

  it.each([
    [[], /^Usage:/],
    [['delete', KEY_ID], /^Usage:/],
    [['list', 'all'], /^Usage:/],
    [['list', '--subject', 's'], /^Only create takes options/],
    [['create'], /^--subject: /],
    [['create', '--subject', ''], /^--subject: /],
    [['create', '--subject', 'a\u001b[31m'], /^--subject: /],
    [['create', '--subject', 's'.repeat(201)], /^--subject: /],
    [
      ['create', '--subject', 's', '--scopes', 'a b', '--env', 'L', '--expires-days', '0'],
      /--scopes[^]*--env[^]*--expires/,
    ],
    [['create', '--subject', 's', '--expires-days', '1.5'], /^--expires-days: /],
    [['create', '--subject', 's', '--color', 'red'], /Unknown option/],
  ])('refuses %j and says how it goes', (args, problem) => {
    expect(() => parseKeysCommand(args, NOW)).toThrow(KeysUsageError);
    expect(() => parseKeysCommand(args, NOW)).toThrow(problem);
  });

  it('does not repeat a whole key that is given for its id', () => {
    const whole = `mcp_live_${KEY_ID}_${'ab'.repeat(32)}_01234567`;
    const error = (() => {
      try {
        return parseKeysCommand(['revoke', whole], NOW);
      } catch (reason: unknown) {
        return reason;
      }
    })();
    expect(error).toBeInstanceOf(KeysUsageError);
    expect(String(error)).not.toContain('abab');
  });
});
