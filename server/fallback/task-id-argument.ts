import type { z as zod } from 'zod';
import type { Zod } from '../../workflows/tool.ts';

/** Whatever is no task id is not found, like an id of somebody else: nothing to probe. */
export function taskIdArgument(z: Zod): zod.ZodString {
  return z.string().describe('The id of the task, as the call that started it answered');
}
