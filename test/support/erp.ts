/** The demo ERP as a real process, for what is about its end or about processes that meet it. */
import type { Mode } from '../../demo/erp/erp-server.ts';
import { erpControl, type ErpControl } from './erp-control.ts';
import { startRole, type RoleProcess } from './processes.ts';
import { temporaryFolder } from './temporary-folder.ts';

export interface TestErp extends RoleProcess, ErpControl {
  readonly dataFile: string;
}

export interface TestErpOptions {
  readonly mode: Mode;
  /** To come back on the same orders. */
  readonly dataFile?: string;
}

export async function startErp({ mode, dataFile }: TestErpOptions): Promise<TestErp> {
  const file = dataFile ?? `${await temporaryFolder()}/orders.jsonl`;
  const erp = await startRole('erp', { ERP_MODE: mode, ERP_DATA_FILE: file, ERP_CONTROL: '1' });
  return { ...erp, ...erpControl(erp.url), dataFile: file };
}
