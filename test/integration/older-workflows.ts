/** Bundle entry of a deployment that is older than the tools the tests call. */
import { createToolTask } from '../../workflows/tool-task.ts';
import { createCatalog } from '../../workflows/tool.ts';

export default createToolTask(createCatalog([]));
