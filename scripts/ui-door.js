/**
 * The door to the Temporal UI. The UI keeps the columns of its lists in the browser and takes none from a link, so the
 * page `/mcp-tasks` of the same origin puts ours there, unless the person has chosen some, and goes on to the list.
 *
 * What tasks hold is encrypted. A page that is opened here gets a cookie that no script can read and no other site can
 * send; with it the UI asks `/codec/` of this origin for clear text, and the door passes that on to the front.
 * Everything else passes through unchanged.
 */
import { createServer, request } from 'node:http';
import { CODEC_PATH, taskListUrl, TASKS_PATH } from './ui-link.js';

/** Where the UI (2.42 to 2.53, stores/configurable-table-columns.ts) keeps them: an object by namespace. */
const COLUMNS_KEY = 'namespace-workflow-table-columns';
const COLUMNS = [
  'Status',
  'McpStatus',
  'Type',
  'McpApprovers',
  'McpWaitingSince',
  'McpDueAt',
  'Workflow ID',
  'Start',
  'End',
  'McpExpiresAt',
];

/** Whose value is that of `server/codec-endpoint.ts`. */
const COOKIE = 'mcp_codec';
/** Under another name this machine is reached by a page that is not ours. */
const LOOPBACK_HOST = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i;

/**
 * @param {{
 *   host: string, port: number, namespace: string, taskQueue: string,
 *   ui: { host: string, port: number },
 *   front: { host: string, port: number },
 *   codecToken: () => Promise<string | undefined>,
 * }} options `codecToken` is asked at each page, because the front makes it
 */
export function openUiDoor({
  host,
  port,
  ui: { host: uiHost, port: uiPort },
  namespace,
  taskQueue,
  front,
  codecToken,
}) {
  const page = columnsPage(namespace, taskListUrl('', { namespace, taskQueue }));
  const ui = { host: uiHost, port: uiPort, name: 'The Temporal UI' };
  const codec = { ...front, name: 'The MCP server' };
  const server = createServer(async (incoming, outgoing) => {
    const isCodec = incoming.url.startsWith(`${CODEC_PATH}/`);
    const cookies = !isCodec && isPage(incoming) ? cookiesOf(await codecToken()) : [];
    if (incoming.url === TASKS_PATH) {
      const headers = {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'set-cookie': cookies,
      };
      outgoing.writeHead(200, headers).end(page);
    } else {
      passThrough(incoming, outgoing, isCodec ? codec : ui, cookies);
    }
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve(server));
  });
}

function isPage({ headers }) {
  return LOOPBACK_HOST.test(headers.host ?? '') && (headers.accept ?? '').includes('text/html');
}

function cookiesOf(token) {
  return token === undefined ? [] : [`${COOKIE}=${token}; Path=${CODEC_PATH}; HttpOnly; SameSite=Strict`];
}

function passThrough(incoming, outgoing, { host, port, name }, cookies) {
  const { method, url: path, headers } = incoming;
  const upstream = request({ host, port, method, path, headers }, (answer) => {
    const all = [...(answer.headers['set-cookie'] ?? []), ...cookies];
    outgoing.writeHead(answer.statusCode, { ...answer.headers, ...(all.length > 0 ? { 'set-cookie': all } : {}) });
    answer.on('error', () => outgoing.destroy()).pipe(outgoing);
  });
  upstream.on('error', () => {
    if (outgoing.headersSent) outgoing.destroy();
    else outgoing.writeHead(502, { 'content-type': 'text/plain' }).end(`${name} is starting. Reload in a second.\n`);
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
