/** Bundle entry of the tool that a link may end. */
import { createToolTask } from '../../workflows/tool-task.ts';
import { catalog } from './way-out-tools.ts';

export default createToolTask(catalog);
