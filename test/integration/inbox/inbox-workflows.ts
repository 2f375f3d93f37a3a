/** Bundle entry of the tools that the inbox is tried with. */
import { createToolTask } from '../../../workflows/tool-task.ts';
import { catalog } from './inbox-tools.ts';

export default createToolTask(catalog);
