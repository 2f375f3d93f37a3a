/** The demo ERP's control API as tests use it: trouble at exact moments, and a count of what it holds. */
import type { ControlState } from '../../demo/erp/control.ts';
import type { Fault, Point } from '../../demo/erp/faults.ts';
import { eventually } from './eventually.ts';
import { patiently } from './patience.js';

export interface ErpControl {
  arm(fault: Fault): Promise<void>;
  /** Lets go who is held at `point`, and takes its faults away; without a point, all. */
  release(point?: Point): Promise<void>;
  state(): Promise<ControlState>;
  /** Waits until a request stands still at `point`. */
  untilHeld(point: Point, count?: number): Promise<void>;
}

export function erpControl(erpUrl: string): ErpControl {
  const control = async <T>(method: string, name: string, body?: unknown): Promise<T> => {
    const response = await fetch(`${erpUrl}/control/${name}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(patiently(5_000)),
    });
    if (!response.ok) throw new Error(`The ERP's control API answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as T;
  };
  const state = (): Promise<ControlState> => control('GET', 'state');
  return {
    state,
    arm: (fault) => control('POST', 'faults', fault),
    release: (point) => control('POST', 'release', point === undefined ? {} : { at: point }),
    untilHeld: async (point, count = 1) => {
      await eventually(async () => ((await state()).held[point] ?? 0) >= count, 20_000);
    },
  };
}
