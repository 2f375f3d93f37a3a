/** The demo ERP as a process. Environment: ERP_PORT, ERP_HOST, ERP_DATA_FILE, ERP_MODE, ERP_CONTROL. */
import type { AddressInfo } from 'node:net';
import { createErpServer, MODES, type Mode } from './erp-server.ts';
import { OrderBook } from './order-book.ts';

function fail(problem: string): never {
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}

function modeOf(value: string | undefined): Mode {
  const mode = MODES.find((known) => known === (value ?? 'idempotency-key'));
  return mode ?? fail(`ERP_MODE must be one of ${MODES.join(', ')}.`);
}

const env = process.env;
const mode = modeOf(env['ERP_MODE']);
const port = Number(env['ERP_PORT'] ?? '3900');
if (!Number.isInteger(port) || port < 0 || port > 65_535) fail('ERP_PORT must be a port, 0 to 65535.');
const host = env['ERP_HOST'] ?? '127.0.0.1';

const book = new OrderBook(env['ERP_DATA_FILE'] ?? '.data/erp/orders.jsonl');
const server = createErpServer({ mode, book, hasControl: env['ERP_CONTROL'] === '1' });

function stop(): void {
  server.closeAllConnections();
  server.close();
  book.close();
  process.exit(0);
}
process.once('SIGTERM', stop);
process.once('SIGINT', stop);
// Only there when whoever started this process holds a channel to it: it does not outlive them.
process.once('disconnect', stop);

server.once('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EADDRINUSE') fail(`Port ${port} is taken. Set ERP_PORT to a free one.`);
  fail(`The ERP cannot listen: ${error.message}`);
});
server.listen(port, host, () => {
  const { port: bound } = server.address() as AddressInfo;
  console.log(JSON.stringify({ url: `http://${host}:${String(bound)}`, mode }));
});
