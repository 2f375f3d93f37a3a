import type { IncomingHttpHeaders } from 'node:http';
import { isJsonObject as isObject } from '../protocol/own-member.ts';
import type { DirectAnswer } from './direct-answer.ts';
import { stoppingAnswer } from './closing-handler.ts';
import { toProtocolError } from './errors.ts';
import type { Log } from './log.ts';
import { errorAnswer, resultAnswer } from './ready-answer.ts';
import { declaredInOrder, isNameInOrder } from './request-order.ts';
import type { RpcMessage } from './rpc-message.ts';
import { TASKS_METHODS, type TasksExtensionParts } from './tasks-extension.ts';

export interface DirectTasksParts extends Omit<TasksExtensionParts, 'caller'> {
  readonly log: Log;
}

/** `tasks/get`, `tasks/update`, `tasks/cancel`; `undefined`: something else, or for the SDK. */
export function directTasks(
  parts: DirectTasksParts,
  message: RpcMessage,
  headers: IncomingHttpHeaders,
): DirectAnswer | undefined {
  const { id, method, params = {} } = message;
  const answer = TASKS_METHODS.get(method);
  if (answer === undefined || !isNameInOrder(params['taskId'], headers)) return undefined;
  const { inputResponses } = params;
  if (!areAsGiven(inputResponses)) return undefined;
  const declared = declaredInOrder(message, headers);
  if (declared === undefined) return undefined;
  return async ({ caller, response }) => {
    try {
      const result = await answer({ ...parts, caller }, { params, declared, responses: { inputResponses } });
      return resultAnswer(id, result);
    } catch (error) {
      // A connection that is gone hears nothing, and that is no fault to log.
      if (response.destroyed) return stoppingAnswer(message);
      return errorAnswer(id, toProtocolError(error, parts.log, method));
    }
  };
}

/** The SDK sorts out those that are no bare response; here there are none such. */
function areAsGiven(responses: unknown): responses is Record<string, Record<string, never>> | undefined {
  if (responses === undefined) return true;
  return (
    isObject(responses) &&
    Object.values(responses).every((each) => isObject(each) && !('method' in each) && !('result' in each))
  );
}
