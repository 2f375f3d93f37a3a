/** The demo ERP inside the test's own process, over real HTTP: a test that does not end it saves the start of another. */
import type { AddressInfo } from 'node:net';
import { createErpServer, type Mode } from '../../demo/erp/erp-server.ts';
import { OrderBook } from '../../demo/erp/order-book.ts';
import { erpControl, type ErpControl } from './erp-control.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { atScopeEnd } from './scope.ts';

export interface OpenErp extends ErpControl {
  readonly url: string;
}

export interface OpenErpOptions {
  readonly mode: Mode;
  /** Default: any free one. */
  readonly port?: number;
  /** How late the search is in `search-only`. Default: the ERP's own. */
  readonly searchLagMs?: number;
}

export async function openErp({ mode, port = 0, searchLagMs }: OpenErpOptions): Promise<OpenErp> {
  const book = new OrderBook(`${await temporaryFolder()}/orders.jsonl`);
  const server = createErpServer({ mode, book, hasControl: true, searchLagMs });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  atScopeEnd(async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
    book.close();
  });
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return { ...erpControl(url), url };
}
