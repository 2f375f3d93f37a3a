/** What a `tools/call` says beside tool and arguments, in the words of its revision. */
import type { Server, ServerContext } from '@modelcontextprotocol/server';
import type { DetailedTask } from '../protocol/task.ts';
import { createAskClient } from './ask-client.ts';
import { declaredAtStart, readDeclared } from './declared.ts';
import { createStatusNotifier, type StatusParts } from './legacy-status.ts';
import { readTaskRequest } from './task-request.ts';
import type { ToolCall } from './tool-call.ts';

export interface CallDialect {
  /** @throws ProtocolError when it is malformed */
  read(
    params: Readonly<Record<string, unknown>>,
    context: ServerContext,
  ): Pick<ToolCall, 'isModern' | 'declared' | 'asTask' | 'ask'>;
  /** Told of each task that is given out. */
  onTask(task: DetailedTask, context: ServerContext): void;
}

export const modernDialect: CallDialect = {
  read: (_, context) => ({ isModern: true, declared: readDeclared(context) }),
  onTask: () => undefined,
};

// eslint-disable-next-line @typescript-eslint/no-deprecated -- the low-level class is the one with the hooks for tasks
export function createLegacyDialect(server: Server, parts: StatusParts): CallDialect {
  const notify = createStatusNotifier(server, parts);
  return {
    read(params, context) {
      const declared = declaredAtStart(server);
      const ask = createAskClient(context, declared);
      return { isModern: false, declared, ask, asTask: readTaskRequest(params['task']) };
    },
    onTask(task, { http }) {
      if (http === undefined) notify(task);
    },
  };
}
