import { patiently } from './patience.js';

/** One request to the demo ERP, as its clients make it. */
export async function askErp(
  { url }: { readonly url: string },
  method: string,
  path: string,
  body?: unknown,
  key?: string,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const response = await fetch(url + path, {
    method,
    headers: key === undefined ? {} : { 'idempotency-key': key },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(patiently(10_000)),
  });
  return { status: response.status, body: await response.json() };
}
