/** Bundle entry of the case tools. */
import { createToolTask } from '../../../../workflows/tool-task.ts';
import { catalog } from './case-tools.ts';

export default createToolTask(catalog);
