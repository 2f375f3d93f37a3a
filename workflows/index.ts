/** Bundle entry: one dynamic workflow stands for every tool, so that Temporal speaks of tools and not of a wrapper. */
import { createToolTask } from './tool-task.ts';
import { catalog } from './tools/index.ts';

export default createToolTask(catalog);
