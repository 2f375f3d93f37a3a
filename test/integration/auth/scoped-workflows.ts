/** Bundle entry of the tool that wants a scope of its own. */
import { createToolTask } from '../../../workflows/tool-task.ts';
import { catalog } from './scoped-tools.ts';

export default createToolTask(catalog);
