/** The demo ERP as a process. */
import type { AddressInfo } from 'node:net';
import { readOrExit } from '../read-or-exit.ts';
import { readConfig } from './config.ts';
import { createErpServer } from './erp-server.ts';
import { OrderBook } from './order-book.ts';

function fail(problem: string): never {
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}

const { host, port, mode, hasControl, dataFile } = readOrExit(readConfig);
const book = new OrderBook(dataFile);
const server = createErpServer({ mode, book, hasControl });

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
