/**
 * `npm run ui-door`: our door to the UI of a Temporal that is not ours. It listens at `TEMPORAL_UI_PORT`, leads to the UI at
 * `TEMPORAL_UI_URL`, and asks the front at `HOST` and `PORT` for clear text. Tell that UI: TEMPORAL_CODEC_ENDPOINT=/codec
 *
 * Whoever reaches it under a name of this machine reads tasks in clear: publish it on a loopback only.
 */
import { readCodecToken } from './codec-token.js';
import { exitWith, SetupError } from './setup-error.js';
import { readSettings, setting } from './settings.js';
import { openUiDoor } from './ui-door.js';
import { TASKS_PATH } from './ui-link.js';

try {
  await openDoor(process.env);
} catch (error) {
  exitWith(error);
}

async function openDoor(env) {
  const {
    host: frontHost,
    port: frontPort,
    temporalUiPort,
    temporalUiUrl,
    namespace,
    taskQueue,
    dataDir,
  } = readSettings(env);
  if (temporalUiUrl === undefined || !URL.canParse(temporalUiUrl) || new URL(temporalUiUrl).protocol !== 'http:') {
    throw new SetupError(
      'TEMPORAL_UI_URL must be the http URL of the UI behind this door, such as http://127.0.0.1:8080',
    );
  }
  const { hostname, port } = new URL(temporalUiUrl);
  const host = setting(env, 'UI_DOOR_HOST') ?? '127.0.0.1';
  const server = await openUiDoor({
    ...{ host, port: temporalUiPort, namespace, taskQueue },
    ui: { host: hostname, port: Number(port || 80) },
    front: { host: frontHost, port: frontPort },
    codecToken: () => readCodecToken(dataDir, env),
  });
  console.log(`The Temporal UI is at http://${host}:${temporalUiPort}${TASKS_PATH}`);
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => {
      server.close();
      server.closeAllConnections();
    });
  }
}
