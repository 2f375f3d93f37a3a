/** Scenarios of the official suite that must be green, in the order in which they run. */
export const SCENARIOS = [
  'tasks-lifecycle',
  'tasks-wire-fields',
  'tasks-capability-negotiation',
  'tasks-required-task-error',
  'tasks-mrtr-input',
  'tasks-request-state-removal',
] as const;
