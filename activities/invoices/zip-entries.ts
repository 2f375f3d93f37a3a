/**
 * What a ZIP holds, one entry after the other, in memory: nothing is ever written under a name from the ZIP. An entry that is
 * hostile or broken is a fault of its own; a ZIP that is hostile as a whole ends with a fault.
 */
import type { Readable } from 'node:stream';
import { isNativeError } from 'node:util/types';
import { fromBufferPromise, getFileNameLowLevel, validateFileName, type Entry, type ZipFile } from 'yauzl';
import { ReadFault } from './read-fault.ts';

export type ZipEntry = { readonly name: string } & ({ readonly bytes: Buffer } | { readonly fault: ReadFault });

const MEBIBYTE = 1024 * 1024;
export const ZIP_LIMITS = {
  entries: 1_000,
  entryBytes: 20 * MEBIBYTE,
  allBytes: 200 * MEBIBYTE,
  /** Of what is larger than a mebibyte: invoices shrink to a fifth or so, bombs to a thousandth. */
  ratio: 200,
} as const;

const ENCRYPTED = 0x1;
/** What systems put beside files by themselves, and folders. */
const NO_FILE = /\/$|^__MACOSX\/|(?:^|\/)(?:\.DS_Store|Thumbs\.db|desktop\.ini)$/;
const DAMAGED_TEXT = 'The ZIP is damaged and cannot be read. Pack it anew and send it again.';

/** @throws ReadFault when the rest cannot be read */
export async function* entriesOf(bytes: Buffer): AsyncGenerator<ZipEntry, void, void> {
  const zip = await open(bytes);
  if (zip.entryCount > ZIP_LIMITS.entries) {
    throw new ReadFault(`The ZIP has more than ${String(ZIP_LIMITS.entries)} entries. Send it in parts.`);
  }
  const names = new Set<string>();
  let unpackedBytes = 0;
  for await (const entry of entriesIn(zip)) {
    const { name, fault } = nameOf(entry);
    if (NO_FILE.test(name) && fault === undefined) continue;
    const refused = fault ?? refusalOf(entry, names.has(name));
    names.add(name);
    // What turns out to be damaged has been unpacked so far as well, and entries may share their bytes.
    unpackedBytes += refused === undefined ? entry.uncompressedSize : 0;
    if (unpackedBytes > ZIP_LIMITS.allBytes) {
      throw new ReadFault(`The ZIP unpacks to more than ${String(ZIP_LIMITS.allBytes)} bytes. Send it in parts.`);
    }
    const read = refused ?? (await contentOf(zip, entry));
    yield read instanceof ReadFault ? { name, fault: read } : { name, bytes: read };
  }
}

async function open(bytes: Buffer): Promise<ZipFile> {
  try {
    return await fromBufferPromise(bytes, { lazyEntries: true, decodeStrings: false, validateEntrySizes: true });
  } catch {
    throw new ReadFault(DAMAGED_TEXT);
  }
}

async function* entriesIn(zip: ZipFile): AsyncGenerator<Entry, void, void> {
  try {
    yield* zip.eachEntry();
  } catch (error) {
    throw error instanceof ReadFault || !isNativeError(error) ? error : new ReadFault(DAMAGED_TEXT);
  }
}

function nameOf(entry: Entry): { readonly name: string; readonly fault?: ReadFault } {
  const { generalPurposeBitFlag, fileNameRaw, extraFields } = entry;
  const name = getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false);
  const shown = name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '\ufffd').slice(0, 200);
  if (validateFileName(name) === null && shown === name) return { name };
  return { name: shown, fault: new ReadFault('The name of this entry leads out of the ZIP or is no name. Rename it.') };
}

/** Why it is not even unpacked. */
function refusalOf(entry: Entry, isTwice: boolean): ReadFault | undefined {
  const { uncompressedSize: size, compressedSize, generalPurposeBitFlag } = entry;
  if (isTwice) return new ReadFault('The ZIP holds this name twice: nobody could tell which one was read.');
  if ((generalPurposeBitFlag & ENCRYPTED) !== 0)
    return new ReadFault('This entry is encrypted. Pack it without a password.');
  if (size > ZIP_LIMITS.entryBytes)
    return new ReadFault(`This entry is larger than ${String(ZIP_LIMITS.entryBytes)} bytes.`);
  if (size > MEBIBYTE && size > compressedSize * ZIP_LIMITS.ratio) {
    return new ReadFault('This entry unpacks to far more than an invoice would. Pack it anew.');
  }
  return undefined;
}

async function contentOf(zip: ZipFile, entry: Entry): Promise<Buffer | ReadFault> {
  try {
    // What is longer than it says is an error as soon as it is.
    return await collected(await zip.openReadStreamPromise(entry));
  } catch {
    return new ReadFault('This entry is damaged and cannot be unpacked. Pack it anew.');
  }
}

async function collected(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
