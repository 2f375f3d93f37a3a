/** Bundle entry of the fixture catalog: the same lifecycle, other tools. */
import { createToolTask } from '../../workflows/tool-task.ts';
import { catalog } from './tools/index.ts';

export default createToolTask(catalog);
