import { describe, expect, it } from '@jest/globals';
import { ProtocolError } from '@modelcontextprotocol/server';
import { failedWith, missingCapability, resourceNotFound, toProtocolError } from '../../../server/errors.ts';
import { createLog } from '../../../server/log.ts';
import {
  IdempotencyConflict,
  PayloadTooLarge,
  StoreUnavailable,
  TaskNotFound,
  TooManyAnswers,
} from '../../../server/task-store.ts';
import { BlobStoreError } from '../../../store/blobs.ts';

const log = createLog('silent');
const INTERNALS = '14 UNAVAILABLE temporal.internal:7233 /var/lib/blobs';

describe('toProtocolError', () => {
  it.each([
    [new TaskNotFound(INTERNALS), -32602, 'No such task.'],
    [new IdempotencyConflict(INTERNALS), -31001, 'Use a new key'],
    [new TooManyAnswers(INTERNALS), -31006, 'answers'],
    [new PayloadTooLarge('The arguments are too large: 3 MB.'), -32602, 'too large: 3 MB'],
    [new StoreUnavailable(INTERNALS), -32603, 'Try again in a few seconds'],
    [new BlobStoreError(INTERNALS), -32603, 'Try again in a few seconds'],
    [Object.assign(new Error(INTERNALS), { code: 5 }), -32603, 'Internal error.'],
    [INTERNALS, -32603, 'Internal error.'],
    [undefined, -32603, 'Internal error.'],
  ])('turns %s into %i in words of its own', (thrown, code, words) => {
    const error = toProtocolError(thrown, log, 'tasks/get');
    expect(error.code).toBe(code);
    expect(error.message).toContain(words);
    expect(JSON.stringify([error.message, error.data])).not.toMatch(/UNAVAILABLE|7233|blobs/);
  });

  it('passes on what is a protocol error already', () => {
    const error = new ProtocolError(-32602, 'as it is');
    expect(toProtocolError(error, log, 'tools/call')).toBe(error);
  });
});

describe('the errors that the server chooses', () => {
  it('carry what a client needs to go on', () => {
    expect(missingCapability('It', ['elicitationForm']).data).toEqual({
      requiredCapabilities: { elicitation: { form: {} } },
    });
    expect(failedWith({ code: 7, message: 'no', data: [1] })).toMatchObject({ code: 7, message: 'no', data: [1] });
    expect(resourceNotFound('task://x/y').data).toEqual({ uri: 'task://x/y' });
    expect(resourceNotFound(`task://${'x'.repeat(600)}`).data).toBeUndefined();
  });
});
