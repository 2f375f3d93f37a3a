/** Bundle entry of the tools that ask first. */
import { createToolTask } from '../../workflows/tool-task.ts';
import { catalog } from './first-questions-tools.ts';

export default createToolTask(catalog);
