import { freePort } from './free-port.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Ports and a data folder for all that `npm start` runs, as variables: nothing that the suite has is used instead. */
export async function ownPlace() {
  const port = async (): Promise<string> => String(await freePort());
  return {
    DATA_DIR: await temporaryFolder(),
    PORT: await port(),
    WORKER_PORT: await port(),
    ERP_PORT: await port(),
    TEMPORAL_PORT: await port(),
    TEMPORAL_UI_PORT: await port(),
    TEMPORAL_ADDRESS: undefined,
    ERP_URL: undefined,
    DATABASE_URL: undefined,
    DATABASE_URL_FILE: undefined,
    // Other tests use these packages at this moment.
    SETUP_INSTALL: 'off',
  };
}
