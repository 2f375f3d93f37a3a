/** Does the database answer, and has it the schema of this version? */
import { join } from 'node:path';
import { tsImport } from 'tsx/esm/api';
import { checkSecretFile } from './doctor-files.js';
import { fail, ok, warn } from './finding.js';

export async function checkDatabase({ dataDir, ownsDatabase }) {
  // The scripts are plain JavaScript; how the database is reached and made is the store's.
  const load = (file) => tsImport(`../store/${file}`, import.meta.url);
  const { readStoreConfig } = await load('config.ts');
  let config;
  try {
    config = await readStoreConfig({ ...process.env, DATA_DIR: dataDir });
  } catch (error) {
    return [fail(error.message.replace(/^.*\n/, '').replaceAll(/^ *- /gm, ''), 'set it right, or leave it unset')];
  }
  const secrets = [
    ['database.url', 'database'],
    ['postgres.password', "the database's superuser"],
    ['api-key.pepper', 'pepper of the API keys'],
  ].map(([file, name]) => checkSecretFile(join(dataDir, file), name));
  const open = secrets.filter((finding) => finding?.level === 'FAIL');
  if (config.databaseUrl === undefined) return [ok('database: none yet, npm start brings one'), ...open];
  const { openDatabase } = await load('postgres.ts');
  const { openMigrations } = await load('migrate.ts');
  const { db, close } = openDatabase(config.databaseUrl, { maxConnections: 1 });
  const where = `the database at ${placeOf(config.databaseUrl)}`;
  try {
    const missing = await openMigrations(db);
    return [missing.length === 0 ? ok(`${where} answers and is up to date`) : outdated(where, missing), ...open];
  } catch (error) {
    const reason = error.cause?.message || error.message;
    const state = `${where} cannot be reached (${reason})`;
    return [
      ownsDatabase
        ? warn(state, 'npm start, or npm run postgres')
        : fail(state, 'check DATABASE_URL and that it is up'),
      ...open,
    ];
  } finally {
    await close().catch(() => undefined);
  }
}

function outdated(where, missing) {
  return warn(`${where} lacks ${missing.join(', ')}`, 'the next front, or npm run keys -- list, brings it up to date');
}

/** Without user and password. */
function placeOf(url) {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}
