import { taskFileUri } from '../../protocol/blob-ref.ts';
import type { IsolationTouch } from './isolation-step.ts';
import type { McpRequest } from './mcp-request.ts';
import { olderRequest } from './older-request.ts';
import { plainCall } from './plain-call.ts';

/** How one touches a task whose id one has; `key` is that of its question, as far as it is known. */
export function touchRequest(
  kind: Exclude<IsolationTouch, 'listen'>,
  { taskId, key = 'none' }: { readonly taskId: string; readonly key: string | undefined },
): McpRequest {
  const inputResponses = { [key]: { action: 'accept', content: { costCentre: '1100' } } };
  switch (kind) {
    case 'get':
      return { method: 'tasks/get', params: { taskId } };
    case 'update':
      return { method: 'tasks/update', params: { taskId, inputResponses } };
    case 'cancel':
      return { method: 'tasks/cancel', params: { taskId } };
    case 'wait':
      return plainCall({ name: 'task_wait', arguments: { id: taskId, seconds: 0 } });
    case 'result':
      return plainCall({ name: 'task_result', arguments: { id: taskId } });
    case 'answer':
      return plainCall({ name: 'task_answer', arguments: { id: taskId, answers: inputResponses } });
    case 'stop':
      return plainCall({ name: 'task_cancel', arguments: { id: taskId } });
    case 'older get':
      return olderRequest('tasks/get', { taskId });
    case 'older result':
      return olderRequest('tasks/result', { taskId });
    case 'read':
      return { method: 'resources/read', params: { uri: taskFileUri(taskId, 'note.txt') } };
  }
}
