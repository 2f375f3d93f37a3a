import { fileURLToPath } from 'node:url';
import type { Leg } from './official-suite.ts';

/** A revision's frozen list of scenarios, and for 2026-07-28 what the list does not score, tasks included. */
export const LEGS: readonly Leg[] = [
  {
    name: '2026-07-28',
    args: ['--requirements', '2026-07-28'],
    expectedFailures: beside('expected-failures.yml'),
  },
  {
    name: '2025-11-25',
    args: ['--spec-version', '2025-11-25', '--suite', 'active'],
    expectedFailures: beside('expected-failures-2025-11-25.yml'),
  },
];

/**
 * Scenarios that must have run, and not only not have failed. The suite has a tenth, `tasks-status-notifications`, which checks
 * nothing: it reports itself as skipped until it is written for `subscriptions/listen`. Our own tests cover that.
 */
export const TASK_SCENARIOS = [
  'tasks-lifecycle',
  'tasks-capability-negotiation',
  'tasks-wire-fields',
  'tasks-request-state-removal',
  'tasks-mrtr-input',
  'tasks-request-headers',
  'tasks-dispatch-and-envelope',
  'tasks-required-task-error',
  'tasks-mrtr-composition',
] as const;

function beside(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}
