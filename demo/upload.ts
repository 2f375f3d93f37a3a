import { readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { signedIn, type McpServer } from './mcp.ts';

const MIME_TYPES: Readonly<Record<string, string>> = {
  '.pdf': 'application/pdf',
  '.csv': 'text/csv',
  '.zip': 'application/zip',
};

/** Brings a file along for a tool to read. Answers its `fileId`. @throws with what the server says against it */
export async function upload(server: McpServer, file: string): Promise<string> {
  const url = new URL(`/files?name=${encodeURIComponent(basename(file))}`, server.url);
  const type = MIME_TYPES[extname(file).toLowerCase()] ?? 'application/octet-stream';
  const headers = { 'content-type': type, ...signedIn(server) };
  const response = await fetch(url, { method: 'POST', headers, body: await readFile(file) });
  if (!response.ok) throw new Error(`the upload was refused: ${await response.text()}`);
  return ((await response.json()) as { readonly fileId: string }).fileId;
}
