/** `npm run demo:invoices -- FOLDER`: writes the demo's invoices there. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ALL_IN_ONE, invoiceFiles } from './invoice-files.ts';

const folder = process.argv[2];
if (folder === undefined) {
  console.error('Name the folder to write to: npm run demo:invoices -- FOLDER');
  process.exit(1);
}
await mkdir(folder, { recursive: true });
const files = await invoiceFiles();
for (const { name, bytes } of files) await writeFile(join(folder, name), bytes);
console.log(`Wrote ${String(files.length)} files to ${folder}. Upload one of them, or all in one:`);
console.log(`  curl --data-binary @${join(folder, ALL_IN_ONE)} -H 'Content-Type: application/zip' \\`);
console.log(`    'http://127.0.0.1:3000/files?name=${ALL_IN_ONE}'`);
