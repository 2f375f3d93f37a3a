/** What our tasks need of a Temporal namespace: its search attributes, and a retention that covers readable results. */
import { setTimeout as delay } from 'node:timers/promises';
import { setting } from './settings.js';
import { SetupError } from './setup-error.js';

/** Name and the number Temporal gives the type. */
export const SEARCH_ATTRIBUTES = {
  McpPrincipal: { type: 'Keyword', code: 2 },
  McpStatus: { type: 'Keyword', code: 2 },
  McpExpiresAt: { type: 'Datetime', code: 6 },
  McpApprovers: { type: 'KeywordList', code: 7 },
  McpWaitingSince: { type: 'Datetime', code: 6 },
  McpDueAt: { type: 'Datetime', code: 6 },
};

const CALL_TIMEOUT_MS = 5_000;
const DAY_MS = 86_400_000;
const NOT_FOUND = 5;

/** How long an ended task stays readable; the namespace has to keep its runs at least as long. */
export function resultRetentionMs(env = process.env) {
  return Number(setting(env, 'RESULT_RETENTION_MS') ?? 7 * DAY_MS);
}

/** For Temporal's own configuration, which takes an empty variable for set. */
function presentVariables(env = process.env) {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value));
}

/** Connects as the server and the worker do: TEMPORAL_ADDRESS, _NAMESPACE, TLS, API key, profiles. */
export async function connectNamespace() {
  // Packages may be missing when this file is loaded; they are there when it is used.
  const { Connection } = await import('@temporalio/client');
  const { loadClientConnectConfig } = await import('@temporalio/envconfig');
  const { connectionOptions, namespace } = loadClientConnectConfig({ overrideEnvVars: presentVariables() });
  const connection = Connection.lazy({ ...connectionOptions, connectTimeout: CALL_TIMEOUT_MS });
  const call = (work) => connection.withDeadline(Date.now() + CALL_TIMEOUT_MS, work);
  return {
    namespace: namespace ?? 'default',
    workflowService: connection.workflowService,
    operatorService: connection.operatorService,
    call,
    close: () => connection.close(),
  };
}

/**
 * `data`: what the namespace keeps beside its settings.
 * @returns {Promise<{ retentionMs: number, missingAttributes: string[], data: Record<string, string> } | undefined>}
 *   `undefined`: no such namespace
 */
export async function inspectNamespace({ namespace, workflowService, operatorService, call }) {
  try {
    const { config, namespaceInfo } = await call(() => workflowService.describeNamespace({ namespace }));
    const { customAttributes } = await call(() => operatorService.listSearchAttributes({ namespace }));
    return {
      retentionMs: Number(config?.workflowExecutionRetentionTtl?.seconds ?? 0) * 1000,
      missingAttributes: Object.keys(SEARCH_ATTRIBUTES).filter((name) => customAttributes?.[name] === undefined),
      data: namespaceInfo?.data ?? {},
    };
  } catch (error) {
    if (error.code === NOT_FOUND) return undefined;
    throw error;
  }
}

/**
 * Registers what is missing; does nothing the second time.
 * `owned`: the Temporal is ours, so the namespace may be created and its retention raised. Otherwise both are only checked.
 * @returns {Promise<string[]>} what was done, in words
 */
export async function prepareNamespace({ owned, waitMs = 0 }) {
  const service = await connectNamespace();
  const { namespace, workflowService, operatorService, call } = service;
  const neededMs = resultRetentionMs();
  const retention = { seconds: Math.ceil(neededMs / 1000) };
  const done = [];
  try {
    let state = await firstAnswer(service, waitMs);
    if (state === undefined) {
      if (!owned) {
        throw new SetupError(
          `Temporal has no namespace "${namespace}". Create it, or name another in TEMPORAL_NAMESPACE:\n` +
            `  temporal operator namespace create -n ${namespace} --retention ${Math.ceil(neededMs / 3_600_000)}h`,
        );
      }
      await call(() => workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: retention }));
      done.push(`created the namespace "${namespace}"`);
      state = await firstAnswer(service, Math.max(waitMs, 30_000), true);
    }
    if (state.retentionMs < neededMs) {
      if (!owned) throw new SetupError(shortRetentionMessage(namespace, state.retentionMs, neededMs));
      await call(() =>
        workflowService.updateNamespace({ namespace, config: { workflowExecutionRetentionTtl: retention } }),
      );
      done.push(`raised the retention of "${namespace}" to ${neededMs / 3_600_000} h`);
    }
    if (state.missingAttributes.length > 0) {
      const searchAttributes = Object.fromEntries(
        state.missingAttributes.map((name) => [name, SEARCH_ATTRIBUTES[name].code]),
      );
      await call(() => operatorService.addSearchAttributes({ namespace, searchAttributes }));
      done.push(`registered ${state.missingAttributes.join(', ')}`);
    }
    return done;
  } finally {
    await service.close();
  }
}

export function shortRetentionMessage(namespace, retentionMs, neededMs) {
  const hours = Math.ceil(neededMs / 3_600_000);
  return (
    `The namespace "${namespace}" keeps ended tasks for ${retentionMs / 3_600_000} h; results are promised for ${hours} h.\n` +
    `Raise it:  temporal operator namespace update -n ${namespace} --retention ${hours}h\n` +
    'or promise less: RESULT_RETENTION_MS.'
  );
}

/** A server that has just started refuses calls for a moment; a namespace just created takes some seconds to be seen. */
async function firstAnswer(service, waitMs, mustExist = false) {
  const deadlineAt = Date.now() + waitMs;
  for (;;) {
    try {
      const state = await inspectNamespace(service);
      if (state !== undefined || !mustExist || Date.now() >= deadlineAt) return state;
    } catch (error) {
      if (Date.now() >= deadlineAt) {
        throw new SetupError(
          `Temporal does not answer as it should (${error.details || error.message}).\n` +
            'Check TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE and the TLS or API key settings, and that the server is up.',
        );
      }
    }
    await delay(200);
  }
}
