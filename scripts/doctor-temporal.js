/** Is Temporal there, and is its namespace as our tasks need it? */
import { principalKeyFindings } from './doctor-principal-key.js';
import { fail, ok, warn } from './finding.js';
import { connectNamespace, inspectNamespace, resultRetentionMs, shortRetentionMessage } from './namespace.js';
import { isListening } from './ports.js';
import { locateTemporal } from './temporal.js';

const HOUR_MS = 3_600_000;
const WORKFLOW_QUEUE = 1;

export async function checkTemporalProgram() {
  try {
    const located = await locateTemporal({ say: () => undefined });
    if (located === undefined) {
      return warn(
        'Temporal CLI: not on this machine',
        '`npm start` downloads or builds it (three minutes); or set TEMPORAL_ADDRESS or TEMPORAL_CLI_PATH',
      );
    }
    if ('address' in located) return ok(`Temporal: the one at TEMPORAL_ADDRESS=${located.address}`);
    return ok(`Temporal CLI: ${located.path} (${located.source}; ${located.version})`);
  } catch (error) {
    return fail(...error.message.split('\n'));
  }
}

export async function checkTemporalService(settings) {
  const { temporalAddress, temporalPort } = settings;
  if (temporalAddress === undefined) {
    if (!(await isListening(temporalPort, '127.0.0.1'))) {
      return [warn(`Temporal: nothing runs on port ${temporalPort}`, 'npm start, or npm run temporal')];
    }
    process.env.TEMPORAL_ADDRESS = `127.0.0.1:${temporalPort}`;
  }
  const service = await connectNamespace();
  try {
    const state = await inspectNamespace(service);
    if (state === undefined) {
      return [
        fail(`namespace "${service.namespace}" does not exist`, 'node scripts/prepare-namespace.js --owned creates it'),
      ];
    }
    return [
      ok('Temporal answers'),
      ...namespaceFindings(service.namespace, state),
      ...(await principalKeyFindings(service.namespace, state, settings)),
      await workerFinding(service, settings),
    ];
  } catch (error) {
    return [
      fail(
        `Temporal does not answer at ${process.env.TEMPORAL_ADDRESS} (${error.details || error.message})`,
        'check TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, TLS and API key settings, and that the server is up',
      ),
    ];
  } finally {
    await service.close();
  }
}

function namespaceFindings(namespace, { retentionMs, missingAttributes }) {
  const neededMs = resultRetentionMs();
  const retention =
    retentionMs >= neededMs
      ? ok(`namespace "${namespace}" keeps ended tasks for ${retentionMs / HOUR_MS} h`)
      : fail(...splitFirstLine(shortRetentionMessage(namespace, retentionMs, neededMs)));
  const attributes =
    missingAttributes.length === 0
      ? ok('search attributes are registered')
      : fail(`search attributes missing: ${missingAttributes.join(', ')}`, 'node scripts/prepare-namespace.js');
  return [retention, attributes];
}

async function workerFinding({ namespace, workflowService, call }, { taskQueue }) {
  const { pollers } = await call(() =>
    workflowService.describeTaskQueue({ namespace, taskQueue: { name: taskQueue }, taskQueueType: WORKFLOW_QUEUE }),
  );
  const count = pollers?.length ?? 0;
  return count > 0
    ? ok(`${count} poller(s) of workers on the task queue "${taskQueue}" in the last minutes`)
    : warn(
        `no worker polls the task queue "${taskQueue}": tasks are accepted and wait`,
        'npm run worker; check TASK_QUEUE',
      );
}

function splitFirstLine(text) {
  const [first, ...rest] = text.split('\n');
  return [first, rest.join(' ')];
}
