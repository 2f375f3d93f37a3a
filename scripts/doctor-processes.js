/** Who holds our ports, and does the ERP answer? */
import { fail, ok, warn } from './finding.js';
import { isListening, isPortFree } from './ports.js';
import { answers, frontUrl } from './processes.js';

const LOOPBACK = '127.0.0.1';

export async function checkPorts(settings) {
  const erpUrl = `http://${LOOPBACK}:${settings.erpPort}`;
  const ports = [
    ['PORT', settings.port, settings.host, 'the MCP server', () => answers(`${frontUrl(settings)}/healthz`)],
    [
      'WORKER_PORT',
      settings.workerPort,
      LOOPBACK,
      'the worker',
      () => answers(`http://${LOOPBACK}:${settings.workerPort}/healthz`),
    ],
  ];
  if (settings.erpUrl === undefined) {
    ports.push(['ERP_PORT', settings.erpPort, LOOPBACK, 'the demo ERP', () => answers(`${erpUrl}/capabilities`)]);
  }
  if (settings.temporalAddress === undefined) {
    ports.push(
      [
        'TEMPORAL_PORT',
        settings.temporalPort,
        LOOPBACK,
        'Temporal',
        () => isListening(settings.temporalPort, LOOPBACK),
      ],
      [
        'TEMPORAL_UI_PORT',
        settings.temporalUiPort,
        LOOPBACK,
        'the Temporal UI',
        () => answers(`http://${LOOPBACK}:${settings.temporalUiPort}/`),
      ],
    );
  }
  return Promise.all(
    ports.map(async ([variable, port, host, what, isOurs]) => {
      if (await isPortFree(port, host)) return ok(`port ${port} (${variable}) is free for ${what}`);
      if (await isOurs()) return ok(`port ${port} (${variable}): ${what} answers`);
      return fail(`port ${port} (${variable}) is taken, and not by ${what}`, `stop that program, or set ${variable}`);
    }),
  );
}

export async function checkErp(settings) {
  const url = settings.erpUrl ?? `http://${LOOPBACK}:${settings.erpPort}`;
  if (settings.erpUrl === undefined) {
    return (await answers(`${url}/healthz`))
      ? ok('the demo ERP answers')
      : warn(`no ERP answers at ${url}: purchase orders wait`, 'npm start, npm run erp, or set ERP_URL');
  }
  return (await isReachable(settings.erpUrl))
    ? ok('the ERP at ERP_URL can be reached')
    : fail('the ERP at ERP_URL cannot be reached: purchase orders wait', 'check ERP_URL and the network');
}

async function isReachable(url) {
  const { hostname, port, protocol } = new URL(url);
  return isListening(Number(port) || (protocol === 'https:' ? 443 : 80), hostname);
}
