/** Bundle entry of the tool that begins. */
import { createToolTask } from '../../workflows/tool-task.ts';
import { catalog } from './fairness-tools.ts';

export default createToolTask(catalog);
