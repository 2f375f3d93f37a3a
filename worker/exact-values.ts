/**
 * What leaves an activity must be what JSON carries exactly. Else a result would arrive with `null` for a number, and an
 * error whose details cannot be written would take the whole worker down with it.
 */
import { ApplicationFailure } from '@temporalio/common';
import { firstNonJsonPath } from '../protocol/json-value.ts';
import { dropDetails, guardOutcomes } from './guard-outcomes.ts';

export const exactValues = guardOutcomes({
  faultOf(result) {
    const path = firstNonJsonPath(result);
    if (path === undefined) return undefined;
    return ApplicationFailure.nonRetryable(`The result holds a value that JSON cannot carry, at ${path}.`, 'NotJson');
  },
  mend(failure) {
    if (failure instanceof ApplicationFailure && firstNonJsonPath(failure.details ?? []) !== undefined) {
      dropDetails(failure);
    }
  },
});
