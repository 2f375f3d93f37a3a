/** Links into the Temporal UI. */

/** The page of our own door that chooses the columns and goes on to the list. */
export const TASKS_PATH = '/mcp-tasks';

/** Where the UI asks for clear text: at our door, of the front. */
export const CODEC_PATH = '/codec';

/** The list of our tasks, newest first, and nothing of anybody else's; with the columns the browser has. */
export function taskListUrl(uiUrl, { namespace, taskQueue }) {
  const query = encodeURIComponent(`\`TaskQueue\`="${taskQueue}"`);
  return `${uiUrl}/namespaces/${encodeURIComponent(namespace)}/workflows?query=${query}`;
}
