import type { Config } from './config.ts';

/** Of a front as it listens; behind a proxy people know it by another. */
export function httpOrigin({ host, port }: Pick<Config, 'host' | 'port'>): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${String(port)}`;
}
