/** A finding of zod, as much of it as is told. */
interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/**
 * Everything that is wrong with the configuration of a process, in one error. The process ends before it listens.
 * It stands here because this is the one folder that front, worker and demo all may import.
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  /** Each in a line, so that whoever reads several parts of a configuration can tell of all at once. */
  readonly problems: readonly string[];

  constructor(problems: readonly (string | Issue)[], options?: ErrorOptions) {
    const texts = problems.map(textOf);
    super(['The configuration has problems:', ...texts.map((text) => `  - ${text}`)].join('\n'), options);
    this.problems = texts;
  }
}

function textOf(problem: string | Issue): string {
  return typeof problem === 'string' ? problem : `${problem.path.join('.')}: ${problem.message}`;
}
