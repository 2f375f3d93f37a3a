/**
 * What leaves an activity must be what JSON carries exactly. Else a result would arrive with `null` for a number, and an
 * error whose details cannot be written would take the whole worker down with it.
 */
import { ApplicationFailure } from '@temporalio/common';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { firstNonJsonPath } from '../protocol/json-value.ts';

export const exactValues: ActivityInterceptorsFactory = () => ({
  inbound: {
    async execute(input, next) {
      let result: unknown;
      try {
        result = await next(input);
      } catch (error) {
        dropInexactDetails(error);
        throw error;
      }
      const path = result === undefined ? undefined : firstNonJsonPath(result);
      if (path === undefined) return result;
      throw ApplicationFailure.nonRetryable(`The result holds a value that JSON cannot carry, at ${path}.`, 'NotJson');
    },
  },
});

function dropInexactDetails(error: unknown): void {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (!(at instanceof ApplicationFailure) || firstNonJsonPath(at.details ?? []) === undefined) continue;
    Object.assign(at, { details: undefined });
  }
}
