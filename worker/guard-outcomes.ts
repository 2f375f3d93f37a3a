import type { ApplicationFailure } from '@temporalio/common';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';

export interface OutcomeGuard {
  /** What is thrown instead of a result that may not leave the activity. */
  readonly faultOf: (result: unknown) => ApplicationFailure | undefined;
  /** Makes one failure of a chain of causes fit to leave; it is changed in place. */
  readonly mend: (failure: Error) => void;
}

/** Looks at what leaves an activity, result or failure, before Temporal gets it. */
export function guardOutcomes({ faultOf, mend }: OutcomeGuard): ActivityInterceptorsFactory {
  return () => ({
    inbound: {
      async execute(input, next) {
        let result: unknown;
        try {
          result = await next(input);
        } catch (error) {
          for (let at = error; at instanceof Error; at = at.cause) mend(at);
          throw error;
        }
        const fault = result === undefined ? undefined : faultOf(result);
        if (fault !== undefined) throw fault;
        return result;
      },
    },
  });
}

export function dropDetails(failure: ApplicationFailure): void {
  Object.assign(failure, { details: undefined });
}
