/** A process of its own: puts a file of BYTES bytes into the blob folder FOLDER and prints what came of it. */
import { readdirSync } from 'node:fs';
import { FolderBlobStore } from '../../store/folder-blobs.ts';

const [folder = '', byteCount = ''] = process.argv.slice(2);
const owner = { caller: '0'.repeat(32), taskId: 'A'.repeat(22) };
const store = new FolderBlobStore(folder);

async function put(name: string, bytes: number): Promise<string> {
  return store.put(owner, { name, mimeType: 'text/plain', bytes: Buffer.alloc(bytes, 'x') }).then(
    () => 'stored',
    (error: unknown) => (error instanceof Error ? `${error.name}: ${error.message}` : String(error)),
  );
}

const small = await put('small.txt', 10);
const large = await put('large.txt', Number(byteCount));
const files = readdirSync(folder, { recursive: true, withFileTypes: true });
const names = files.filter((file) => file.isFile()).map(({ name }) => name);
const smallAgain = await put('another.txt', 10);
console.log(JSON.stringify({ small, large, names: names.sort(), smallAgain }));
