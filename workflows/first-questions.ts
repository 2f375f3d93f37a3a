/** What a tool asks first, asked by its task: for a caller whose answers can be delivered to a task alone. */
import {
  mergedArgs,
  openQuestions,
  stuckQuestion,
  unansweredText,
  type FirstCall,
  type FirstQuestions,
  type FirstReplies,
} from '../protocol/first-questions.ts';
import { NO_FEATURES } from '../protocol/input-feature.ts';
import type { JsonObject } from '../protocol/task.ts';
import type { ToolTaskInput } from './contract.ts';
import { toolFailure, type TaskContext } from './tool.ts';

/**
 * The arguments that the body gets, with the answers in them.
 * @throws ToolFailure when an answer is of no use, and what the tool's functions throw
 */
export async function askFirstQuestions(
  tool: FirstQuestions,
  { args, features }: Pick<ToolTaskInput, 'args' | 'features'>,
  task: Pick<TaskContext, 'ask'>,
): Promise<JsonObject> {
  const call: FirstCall = { args, client: { ...NO_FEATURES, ...features } };
  let replies: FirstReplies = {};
  for (;;) {
    const open = openQuestions(tool, call, replies);
    if (Object.keys(open).length === 0) return mergedArgs(tool, args, replies);
    const stuck = stuckQuestion(open, replies);
    if (stuck !== undefined) throw toolFailure(unansweredText(stuck));
    replies = { ...replies, ...(await task.ask(open)) };
  }
}
