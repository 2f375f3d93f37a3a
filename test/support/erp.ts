/** The demo ERP as a real process with its control API: trouble at exact moments, and a count of what it holds. */
import type { ControlState } from '../../demo/erp/control.ts';
import type { Mode } from '../../demo/erp/erp-server.ts';
import type { Fault, Point } from '../../demo/erp/faults.ts';
import { eventually } from './eventually.ts';
import { startRole, temporaryFolder, type RoleProcess } from './processes.ts';

export interface TestErp extends RoleProcess {
  readonly dataFile: string;
  arm(fault: Fault): Promise<void>;
  /** Lets go who is held at `point`, and takes its faults away; without a point, all. */
  release(point?: Point): Promise<void>;
  state(): Promise<ControlState>;
  /** Waits until a request stands still at `point`. */
  untilHeld(point: Point, count?: number): Promise<void>;
}

export interface TestErpOptions {
  readonly mode: Mode;
  /** To come back on the same orders. */
  readonly dataFile?: string;
  /** To come back on the same port. */
  readonly port?: number;
}

export async function startErp({ mode, dataFile, port }: TestErpOptions): Promise<TestErp> {
  const file = dataFile ?? `${await temporaryFolder()}/orders.jsonl`;
  const erp = await startRole('erp', {
    ERP_MODE: mode,
    ERP_DATA_FILE: file,
    ERP_CONTROL: '1',
    ...(port === undefined ? {} : { ERP_PORT: String(port) }),
  });
  const control = async <T>(method: string, name: string, body?: unknown): Promise<T> => {
    const response = await fetch(`${erp.url}/control/${name}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(5_000),
    });
    if (!response.ok) throw new Error(`The ERP's control API answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as T;
  };
  const state = (): Promise<ControlState> => control('GET', 'state');
  return {
    ...erp,
    dataFile: file,
    state,
    arm: (fault) => control('POST', 'faults', fault),
    release: (point) => control('POST', 'release', point === undefined ? {} : { at: point }),
    untilHeld: async (point, count = 1) => {
      await eventually(async () => ((await state()).held[point] ?? 0) >= count, 20_000);
    },
  };
}
