import { expect } from '@jest/globals';
import type { RequirementId } from '../conformance/requirements.ts';

/**
 * Says inside a test which requirements it proves; `coverage.test.ts` reads these calls. A test that then asserts nothing
 * fails.
 */
export function verifies(..._ids: readonly [RequirementId, ...RequirementId[]]): void {
  expect.hasAssertions();
}
