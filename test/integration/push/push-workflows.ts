/** Bundle entry of the tools for listeners. */
import { createToolTask } from '../../../workflows/tool-task.ts';
import { catalog } from './push-tools.ts';

export default createToolTask(catalog);
