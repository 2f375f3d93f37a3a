import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Hono } from 'hono';
import type { InboxEnv } from './inbox-env.ts';

const LIFE_SECONDS = 300;

/** The style sheet, our script, and htmx out of its package: pages work without any of them. */
export function mountAssets(app: Hono<InboxEnv>): void {
  const htmx = createRequire(import.meta.url).resolve('htmx.org/dist/htmx.min.js');
  const own = (name: string): string => fileURLToPath(new URL(`assets/${name}`, import.meta.url));
  serve(app, '/assets/inbox.css', 'text/css', own('inbox.css'));
  serve(app, '/assets/live.js', 'text/javascript', own('live.js'));
  serve(app, '/assets/htmx.js', 'text/javascript', htmx);
}

function serve(app: Hono<InboxEnv>, path: string, type: string, file: string): void {
  // Read once, when the first page wants it.
  let content: Promise<string> | undefined;
  app.get(path, async (context) => {
    const text = await (content ??= readFile(file, 'utf8'));
    const headers = { 'content-type': `${type}; charset=utf-8`, 'cache-control': `max-age=${String(LIFE_SECONDS)}` };
    return context.body(text, 200, headers);
  });
}
