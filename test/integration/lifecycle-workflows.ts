/** Bundle entry of the lifecycle's test tools. */
import { createToolTask } from '../../workflows/tool-task.ts';
import { catalog } from './lifecycle-tools.ts';

export default createToolTask(catalog);
