/** `npm run replay -- <taskId | workflowId | file>`: does the working tree still decide as a recorded run did? */
import { existsSync, readFileSync } from 'node:fs';
import { Client, Connection } from '@temporalio/client';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { Registry } from 'prom-client';
import { readKeyRing } from '../encryption/config.ts';
import { createPayloadCodecs } from '../encryption/payload-codec.ts';
import { TASK_ID_PATTERN } from '../protocol/extension.ts';
import { presentVariables } from '../protocol/present-variables.ts';
import { createTaskSinks } from '../worker/task-metrics.ts';
import { FAILURE_CONVERTER_PATH, WORKFLOWS_PATH } from '../worker/workflow-source.ts';

type History = ReturnType<typeof historyFromJSON>;

const USAGE = 'Usage: npm run replay -- <taskId, workflow id, or file with a history as JSON>';

async function main(subject: string | undefined): Promise<number> {
  if (subject === undefined) return say(USAGE, 2);
  const history = existsSync(subject) ? historyOfFile(subject) : await historyOfTask(subject);
  if (history === undefined) return say(`There is no file and no task ${subject}. ${USAGE}`, 2);
  const payloadCodecs = createPayloadCodecs(await readKeyRing(presentVariables(process.env)));
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  try {
    await Worker.runReplayHistory(
      {
        workflowsPath: WORKFLOWS_PATH,
        sinks: createTaskSinks(new Registry()),
        dataConverter: { failureConverterPath: FAILURE_CONVERTER_PATH, payloadCodecs },
      },
      history,
    );
    return say(`Replayed ${subject}: the working tree takes the same decisions.`, 0);
  } catch (error) {
    return say(
      `Replay of ${subject} diverges. The first difference:\n${error instanceof Error ? error.message : String(error)}`,
      1,
    );
  }
}

function historyOfFile(path: string): History {
  return historyFromJSON(JSON.parse(readFileSync(path, 'utf8')));
}

async function historyOfTask(id: string): Promise<History | undefined> {
  const { connectionOptions, namespace = 'default' } = loadClientConnectConfig({
    overrideEnvVars: presentVariables(process.env),
  });
  const connection = await Connection.connect(connectionOptions);
  const client = new Client({ connection, namespace });
  try {
    const workflowId = TASK_ID_PATTERN.test(id) ? await workflowIdOf(connection, namespace, id) : id;
    return workflowId === undefined ? undefined : await client.workflow.getHandle(workflowId).fetchHistory();
  } catch (error) {
    if (error instanceof Error && error.name === 'WorkflowNotFoundError') return undefined;
    throw error;
  } finally {
    await connection.close();
  }
}

/**
 * A task id is the last part of its workflow id; what precedes it is the caller's hash, which the operator need not know. Asked
 * of the service itself: the client would decipher the memo of every task on the way, under keys that need not be here.
 */
async function workflowIdOf(connection: Connection, namespace: string, taskId: string): Promise<string | undefined> {
  let nextPageToken: Uint8Array | undefined;
  do {
    const page = await connection.workflowService.listWorkflowExecutions({
      namespace,
      query: 'WorkflowId STARTS_WITH "mcp-task/"',
      ...(nextPageToken === undefined ? {} : { nextPageToken }),
    });
    for (const { execution } of page.executions) {
      if (execution?.workflowId?.endsWith(`/${taskId}`) === true) return execution.workflowId;
    }
    nextPageToken = page.nextPageToken;
  } while (nextPageToken.length > 0);
  return undefined;
}

function say(words: string, exitCode: number): number {
  (exitCode === 0 ? process.stdout : process.stderr).write(`${words}\n`);
  return exitCode;
}

process.exitCode = await main(process.argv[2]);
