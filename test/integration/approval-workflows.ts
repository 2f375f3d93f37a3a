/** Bundle entry of the tools that wait for other people. */
import { createToolTask } from '../../workflows/tool-task.ts';
import { catalog } from './approval-tools.ts';

export default createToolTask(catalog);
