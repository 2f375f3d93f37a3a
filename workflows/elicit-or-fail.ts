import type { Answer, ElicitReply, Form } from '../protocol/form.ts';
import { isToolFailure } from './is-tool-failure.ts';
import { toolFailure, type TaskContext } from './tool.ts';

/**
 * A question whose answer is no argument of the tool: whoever cannot be asked is told `otherwise` what they can do instead.
 * @throws ToolFailure
 */
export async function elicitOrFail<F extends Form>(
  task: TaskContext,
  { message, form, otherwise }: { message: string; form: F; otherwise: string },
): Promise<ElicitReply<Answer<F>>> {
  try {
    return await task.elicit(message, form);
  } catch (error) {
    if (isToolFailure(error)) throw toolFailure(otherwise);
    throw error;
  }
}
