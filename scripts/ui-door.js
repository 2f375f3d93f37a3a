/**
 * The door to the Temporal UI. The UI keeps the columns of its lists in the browser and takes none from a link, so the
 * page `/mcp-tasks` of the same origin puts ours there, unless the person has chosen some, and goes on to the list.
 * Everything else passes through unchanged.
 */
import { createServer, request } from 'node:http';
import { taskListUrl, TASKS_PATH } from './ui-link.js';

/** Where the UI (2.42 to 2.53, stores/configurable-table-columns.ts) keeps them: an object by namespace. */
const COLUMNS_KEY = 'namespace-workflow-table-columns';
const COLUMNS = ['Status', 'McpStatus', 'Type', 'Workflow ID', 'Start', 'End', 'McpExpiresAt'];

/** @param {{ host: string, port: number, uiPort: number, namespace: string, taskQueue: string }} options */
export function openUiDoor({ host, port, uiPort, namespace, taskQueue }) {
  const page = columnsPage(namespace, taskListUrl('', { namespace, taskQueue }));
  const server = createServer((incoming, outgoing) => {
    if (incoming.url === TASKS_PATH) {
      outgoing.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }).end(page);
    } else {
      passThrough(incoming, outgoing, { host, port: uiPort });
    }
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve(server));
  });
}

function passThrough(incoming, outgoing, target) {
  const { method, url: path, headers } = incoming;
  const upstream = request({ ...target, method, path, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode, answer.headers);
    answer.on('error', () => outgoing.destroy()).pipe(outgoing);
  });
  upstream.on('error', () => {
    if (outgoing.headersSent) outgoing.destroy();
    else
      outgoing
        .writeHead(502, { 'content-type': 'text/plain' })
        .end('The Temporal UI is starting. Reload in a second.\n');
  });
  outgoing.on('close', () => upstream.destroy());
  incoming.pipe(upstream);
}

function columnsPage(namespace, listUrl) {
  const data = JSON.stringify({ key: COLUMNS_KEY, namespace, columns: COLUMNS, listUrl }).replaceAll('<', '\\u003c');
  return `<!doctype html><title>MCP tasks</title><script>
const { key, namespace, columns, listUrl } = ${data};
let all = {};
try { all = JSON.parse(localStorage.getItem(key)) ?? {}; } catch {}
if (!all[namespace]?.length) localStorage.setItem(key, JSON.stringify({ ...all, [namespace]: columns.map((label) => ({ label })) }));
location.replace(listUrl);
</script>`;
}
