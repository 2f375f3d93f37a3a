/**
 * C31: pages of strangers in a browser on this machine. Each tries to buy something; none may, and none may read.
 *
 * One by one, and how allowed ones are compared: test/unit/server/http-headers.test.ts.
 */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { bodyOf, headerLinesOf, type McpRequest } from '../../support/mcp-request.ts';
import type { RoleProcess } from '../../support/processes.ts';
import { aCall, openProduct, type Product } from '../../support/product.ts';
import { rawHttp, rawPost, statusOf } from '../../support/raw-http.ts';
import { verifies } from '../../support/verifies.ts';

const FOREIGN = [
  ['Origin: http://localhost.evil.test'],
  ['Origin: http://127.0.0.1.evil.test'],
  ['Origin: http://evil.test'],
  ['Origin: null'],
  ['Origin: http://'],
  ['Origin:'],
  ['Origin: http://localhost', 'Origin: http://evil.test'],
  ['Host: evil.test:8080'],
  ['Host: localhost.evil.test'],
  ['Host: evil.test@localhost'],
];
const OWN = [[], ['Origin: HTTP://LOCALHOST:8080'], ['Origin: http://[::1]:8080'], ['Host: LOCALHOST:8080']];
/** Closed with this server's answer, or by Node itself before it. */
const REFUSED = [400, 403];

let product: Product;
let front: RoleProcess;
beforeAll(async () => {
  product = await openProduct();
  [front] = await Promise.all([product.startFront({ SYNC_BUDGET_MS: '20000' }), product.startWorker()]);
}, 90_000);

const BUY: McpRequest = { method: 'tools/call', params: { name: 'purchase_order', arguments: aCall() } };

function buy(lines: readonly string[]): Promise<string> {
  const all = headerLinesOf(BUY);
  return rawHttp(front.url, rawPost(front.url, [...all, ...lines], bodyOf(BUY)));
}

function ask(method: string, path: string, lines: readonly string[]): Promise<string> {
  const { host } = new URL(front.url);
  const named = lines.some((line) => line.startsWith('Host:')) ? lines : [`Host: ${host}`, ...lines];
  return rawHttp(front.url, [`${method} ${path} HTTP/1.1`, ...named, 'Connection: close', '', ''].join('\r\n'));
}

async function orderCount(): Promise<number> {
  return (await product.erp.state()).orders.length;
}

describe.each(FOREIGN.map((lines) => [lines.join(' and '), lines] as const))('a page with %s', (_title, lines) => {
  it('buys nothing, reads nothing, and is not let through by a preflight', async () => {
    verifies('http.origin');
    const before = await orderCount();
    const answers = await Promise.all([
      buy(lines),
      ...['/healthz', '/readyz', '/metrics', '/', '/files', '/inbox', '/inbox/live', '/links/x'].map((path) =>
        ask('GET', path, lines),
      ),
      ask('POST', '/files?name=a.csv', [...lines, 'Content-Length: 0']),
      ask('DELETE', '/files/x', lines),
      ask('OPTIONS', '/files', [...lines, 'Access-Control-Request-Method: DELETE']),
      ...['/inbox/sign-in', '/links/x'].map((path) => ask('POST', path, [...lines, 'Content-Length: 0'])),
      ask('OPTIONS', '/mcp', [...lines, 'Access-Control-Request-Headers: mcp-method, mcp-protocol-version']),
    ]);
    for (const answer of answers) {
      expect(REFUSED).toContain(statusOf(answer));
      expect(answer).not.toMatch(/access-control-allow/i);
    }
    expect(await orderCount()).toBe(before);
  });
});

describe.each(OWN.map((lines) => [lines.join(' and ') || 'no Origin', lines] as const))(
  'a page with %s',
  (_title, lines) => {
    it('buys what it asks for', async () => {
      const before = await orderCount();
      expect(statusOf(await buy(lines))).toBe(200);
      expect(await orderCount()).toBe(before + 1);
    }, 60_000);

    it('is told by a preflight which headers it may send', async () => {
      const preflight = await ask('OPTIONS', '/mcp', lines);
      expect(statusOf(preflight)).toBe(204);
      expect(preflight).toMatch(/access-control-allow-headers: [^\r]*mcp-protocol-version, mcp-method, mcp-name/i);
      const origin = lines.find((line) => line.startsWith('Origin: '))?.slice('Origin: '.length);
      const allowed = /access-control-allow-origin: ([^\r]*)/i.exec(preflight)?.[1];
      expect(allowed).toBe(origin);
    });
  },
);
