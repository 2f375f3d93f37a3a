export class SetupError extends Error {}
export function exitWith(error: unknown): never;
