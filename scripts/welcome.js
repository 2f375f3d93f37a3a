/** What `npm start` prints once everything is ready. */
import { frontUrl } from './processes.js';
import { taskListUrl, TASKS_PATH } from './ui-link.js';

export function welcome(settings, ownsTemporal) {
  const mcpUrl = `${frontUrl(settings)}/mcp`;
  const uiUrl = ownsTemporal
    ? `http://127.0.0.1:${settings.temporalUiPort}${TASKS_PATH}`
    : settings.temporalUiUrl && taskListUrl(settings.temporalUiUrl, settings);
  return [
    '',
    `  MCP server    ${mcpUrl}`,
    `  Inbox         ${frontUrl(settings)}/inbox`,
    `  Temporal UI   ${uiUrl ?? 'that of your Temporal (set TEMPORAL_UI_URL to see its link here)'}`,
    `  Data          ${settings.dataDir}`,
    '',
    ...(settings.hasSignIn ? SIGN_IN_LINES : []),
    `  Order something, in another terminal:    ${demoCommand(mcpUrl, settings)}`,
    '  Call a tool by hand:',
    ...curl(mcpUrl, settings).map((line) => `    ${line}`),
    '',
    '  Stop everything: Ctrl-C',
    '',
  ].join('\n');
}

const SIGN_IN_LINES = [
  '  Callers sign in. A key for AUTH=keys, in another terminal:    npm run keys -- create --subject NAME',
  '  Set MCP_API_KEY to it, or to an access token.',
  '',
];

/** With the addresses that the demo does not find by itself. */
function demoCommand(mcpUrl, { temporalUiPort, temporalUiUrl = `http://127.0.0.1:${temporalUiPort}` }) {
  const variables = [
    ['MCP_URL', mcpUrl, 'http://127.0.0.1:3000/mcp'],
    ['TEMPORAL_UI_URL', temporalUiUrl, 'http://127.0.0.1:8233'],
  ];
  const needed = variables.filter(([, value, byDefault]) => value !== byDefault);
  return [...needed.map(([name, value]) => `${name}=${value}`), 'npm run demo'].join(' ');
}

function curl(url, { hasSignIn }) {
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: {
      name: 'greet',
      arguments: { name: 'Ada' },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  };
  return [
    `curl -s ${url} -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' \\`,
    "  -H 'MCP-Protocol-Version: 2026-07-28' -H 'Mcp-Method: tools/call' -H 'Mcp-Name: greet' \\",
    ...(hasSignIn ? ['  -H "Authorization: Bearer $MCP_API_KEY" \\'] : []),
    `  -d '${JSON.stringify(body)}'`,
  ];
}
