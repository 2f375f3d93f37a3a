/** Everything that is wrong with the configuration, in one error. The process ends before it listens. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(problems: readonly string[], options?: ErrorOptions) {
    super(['The configuration has problems:', ...problems.map((problem) => `  - ${problem}`)].join('\n'), options);
  }
}
