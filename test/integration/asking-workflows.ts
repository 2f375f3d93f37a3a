/** Bundle entry of the tools that ask. */
import { createToolTask } from '../../workflows/tool-task.ts';
import { catalog } from './asking-tools.ts';

export default createToolTask(catalog);
