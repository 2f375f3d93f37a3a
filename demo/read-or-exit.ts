import { ConfigError } from '../protocol/config-error.ts';

/** The configuration that `read` reads; what is wrong with it ends the process with 1. */
export function readOrExit<Config>(read: () => Config): Config {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return process.exit(1);
  }
}
