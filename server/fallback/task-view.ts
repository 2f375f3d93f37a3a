/** A task in words and structure that a model can act on without knowing what a task is. */
import type { DetailedTask, InputRequest, ToolResult } from '../../protocol/task.ts';
import { wordsOf } from '../../protocol/complaint.ts';
import { toolResult } from '../../workflows/tool.ts';
import { shownTask, type HandingOut } from '../plain-answer.ts';

/** Where the task stands, what it asks, and which tool to call next. A finished task brings its result along. */
export function viewOfTask({ caller, tellRead }: HandingOut, task: DetailedTask, note = ''): ToolResult {
  const questions = task.status === 'input_required' ? Object.entries(task.inputRequests).map(toQuestion) : [];
  const shown = { task: shownTask(task), ...(questions.length > 0 ? { questions } : {}) };
  const view = toolResult(note + textOf(task, questions), { structured: shown });
  if (task.status !== 'completed') return view;
  tellRead(caller, task);
  return { ...view, content: [...view.content, ...task.result.content] };
}

function textOf(task: DetailedTask, questions: readonly Question[]): string {
  const { taskId } = task;
  switch (task.status) {
    case 'working':
      return `Task ${taskId} goes on${withReason(task)}. Call task_wait with this id to wait for it.`;
    case 'completed':
      return `Task ${taskId} is completed. Its result follows; task_result gives it alone.`;
    case 'failed':
      return `Task ${taskId} has failed${withReason(task)}.`;
    case 'cancelled':
      return `Task ${taskId} was cancelled.`;
    case 'input_required':
      return (
        `Task ${taskId} waits for an answer. Ask the user, then call task_answer with this id and answers: one member ` +
        `for each key, {"action":"accept","content":{…}} or {"action":"decline"} for a question to the user.\n` +
        questions.map(({ key, message }) => `${key}: ${message}`).join('\n')
      );
  }
}

function withReason({ statusMessage }: DetailedTask): string {
  return statusMessage === undefined ? '' : ` (${statusMessage})`;
}

type Question = Pick<InputRequest, 'method' | 'params'> & { readonly key: string; readonly message: string };

function toQuestion([key, request]: [string, InputRequest]): Question {
  return { key, message: wordsOf(request), method: request.method, params: request.params };
}
