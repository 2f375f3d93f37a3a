import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { StoreDown, toStoreDown } from '../../../store/store-down.ts';

function failure(message: string, properties: object): Error {
  return Object.assign(new Error(message), properties);
}

describe('toStoreDown', () => {
  it('knows an error of another realm, as the runtime makes them', () => {
    const foreign = runInNewContext("Object.assign(new Error('read ECONNRESET'), { syscall: 'read' })") as unknown;
    expect(foreign).not.toBeInstanceOf(Error);
    expect(toStoreDown(foreign)).toBeInstanceOf(StoreDown);
  });

  it.each([
    failure('connect ECONNREFUSED 127.0.0.1:5433', { code: 'ECONNREFUSED', syscall: 'connect' }),
    failure('getaddrinfo ENOTFOUND db', { code: 'ENOTFOUND', syscall: 'getaddrinfo' }),
    failure('read ECONNRESET', { code: 'ECONNRESET', syscall: 'read' }),
    failure('terminating connection due to administrator command', { code: '57P01' }),
    failure('the database system is starting up', { code: '57P03' }),
    failure('sorry, too many clients already', { code: '53300' }),
    failure('canceling statement due to statement timeout', { code: '57014' }),
    failure('Connection terminated unexpectedly', {}),
    failure('timeout exceeded when trying to connect', {}),
    failure('Query read timeout', {}),
    failure('Client has encountered a connection error and is not queryable', {}),
  ])('names the database as the cause of: $message', (error) => {
    const told = toStoreDown(error);
    expect(told).toBeInstanceOf(StoreDown);
    expect(told).toMatchObject({
      name: 'StoreDown',
      cause: error,
      message: expect.not.stringContaining(error.message),
    });
  });

  it.each([
    failure('duplicate key value violates unique constraint', { code: '23505' }),
    failure('relation "api_keys" does not exist', { code: '42P01' }),
    failure('could not serialize access', { code: '40001' }),
    new TypeError('x is not a function'),
    new StoreDown(),
    'text',
  ])('leaves as it is: %s', (error) => {
    expect(toStoreDown(error)).toBe(error);
  });
});
