/** Processes for programs that run without Jest: the caller ends what they started, the newest first. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findTemporal } from '../../scripts/temporal.js';
import { answersOk, startChild, type Child } from './child.ts';
import { startDevServer } from './dev-server.ts';
import { freePort } from './free-port.ts';

export interface Part {
  readonly origin: string;
  readonly child: Child;
}

export type Env = Readonly<Record<string, string>>;
/** The newest first. */
export type Endings = (() => Promise<unknown>)[];

/** Unless TEMPORAL_ADDRESS names one. Its address goes into the environment, which all parts inherit. */
export async function startTemporal(folder: string, endings: Endings): Promise<string> {
  const found = await findTemporal();
  if (!('path' in found)) return 'the Temporal at TEMPORAL_ADDRESS';
  process.env['TEMPORAL_CLI_PATH'] = found.path;
  const server = await startDevServer({ databaseFile: join(folder, 'temporal.db') });
  endings.unshift(() => server.end());
  process.env['TEMPORAL_ADDRESS'] = server.address;
  return 'dev server, SQLite file';
}

export async function startPart(entry: string, portVariable: string, env: Env): Promise<Part> {
  const port = String(await freePort());
  const origin = `http://127.0.0.1:${port}`;
  const child = await startChild({
    name: entry,
    command: process.execPath,
    args: ['--import', 'tsx', entry],
    env: { ...env, [portVariable]: port },
    isReady: () => answersOk(`${origin}/readyz`),
    readyWithinMs: 60_000,
  });
  return { origin, child };
}

/** Resident memory in MiB; `undefined` where the system has no /proc. */
export async function residentMiB({ child }: Part): Promise<number | undefined> {
  try {
    const status = await readFile(`/proc/${String(child.pid)}/status`, 'utf8');
    const kib = /^VmRSS:\s+(\d+) kB/m.exec(status)?.[1];
    return kib === undefined ? undefined : Math.round(Number(kib) / 1_024);
  } catch {
    return undefined;
  }
}
