/** Real processes of the product, by role. Whatever a test starts is ended with it; a failed test shows their output. */
import { answersOk, startChild, type Child, type ChildOptions } from './child.ts';
import { compiledEntry } from './compiled-entry.ts';
import { TEST_ENCRYPTION_KEYS } from './encryption.ts';
import { freePort } from './free-port.ts';
import { atScopeEnd, hasTestFailed } from './scope.ts';

export type Role = 'front' | 'worker' | 'erp';

/** Entry of each role, the variable that holds its port, and the path that says it is ready. */
const ROLES: Readonly<Record<Role, { entry: string; portVariable: string; readyPath: string }>> = {
  front: { entry: 'server/main.ts', portVariable: 'PORT', readyPath: '/readyz' },
  worker: { entry: 'worker/main.ts', portVariable: 'WORKER_PORT', readyPath: '/readyz' },
  erp: { entry: 'demo/erp/main.ts', portVariable: 'ERP_PORT', readyPath: '/healthz' },
};

export interface RoleProcess extends Child {
  readonly port: number;
  readonly url: string;
}

/**
 * Starts `role` on a free port, unless `env` names one, and waits until it is ready. The global set-up has
 * compiled it and built the bundle that a worker takes; all of them encrypt under one key.
 */
export async function startRole(role: Role, env: Readonly<Record<string, string>>): Promise<RoleProcess> {
  const { entry, portVariable, readyPath } = ROLES[role];
  const port = Number(env[portVariable] ?? (await freePort()));
  const url = `http://127.0.0.1:${String(port)}`;
  const child = await startTracked({
    name: `${role}:${String(port)}`,
    command: process.execPath,
    args: [compiledEntry(entry)],
    env: {
      WORKFLOW_BUNDLE: process.env['TEST_PRODUCT_BUNDLE'],
      ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
      ...env,
      [portVariable]: String(port),
    },
    isReady: () => answersOk(url + readyPath),
  });
  return { ...child, port, url };
}

/** Starts any process and ends it with the test or file that started it. */
export async function startTracked(options: ChildOptions): Promise<Child> {
  const child = await startChild(options);
  atScopeEnd(async () => {
    if (child.isRunning()) await child.end();
    if (hasTestFailed()) process.stderr.write(`\n--- output of ${child.name}\n${child.output()}\n---\n`);
  });
  return child;
}
