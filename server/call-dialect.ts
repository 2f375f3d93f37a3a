/** What a `tools/call` says beside tool and arguments, in the words of its revision. */
import type { ServerContext } from '@modelcontextprotocol/server';
import type { DetailedTask } from '../protocol/task.ts';
import { readDeclared } from './declared.ts';
import type { LegacyClient } from './legacy-client.ts';
import { readTaskRequest } from './task-request.ts';
import type { ToolCall } from './tool-call.ts';

export interface CallDialect {
  /** @throws ProtocolError when it is malformed */
  read(
    params: Readonly<Record<string, unknown>>,
    context: ServerContext,
  ): Pick<ToolCall, 'isModern' | 'declared' | 'isAskedFirst' | 'asTask' | 'ask'>;
  /** Told of each task that is given out. */
  onTask(task: DetailedTask): void;
}

export const modernDialect: CallDialect = {
  read: (_, context) => ({ isModern: true, isAskedFirst: true, declared: readDeclared(context) }),
  onTask: () => undefined,
};

export function createLegacyDialect(client: LegacyClient): CallDialect {
  return {
    read: (params, context) => ({
      isModern: false,
      declared: client.declared(),
      isAskedFirst: client.isAskedFirst,
      ask: client.ask(context),
      asTask: readTaskRequest(params['task']),
    }),
    onTask: (task) => client.onTask(task),
  };
}
