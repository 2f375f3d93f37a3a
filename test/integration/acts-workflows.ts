/** Bundle entry of the tools whose acts are recorded. */
import { createToolTask } from '../../workflows/tool-task.ts';
import { catalog } from './acts-tools.ts';

export default createToolTask(catalog);
