/**
 * The table of a match, whole: too large for a workflow, so it stands in the blob store under its own digest. What was decided
 * on is therefore what is posted, whatever another attempt writes.
 */
import { createHash } from 'node:crypto';
import type { BlobStore, FileOwner } from '../../store/blobs.ts';
import type { InvoiceFault, ReadInvoice } from './invoice.ts';
import type { MatchedInvoice } from './match-result.ts';

export interface MatchTable {
  readonly policyVersion: string;
  /** As they were read, in the order in which they were sent. */
  readonly read: readonly ReadInvoice[];
  readonly faults: readonly InvoiceFault[];
  /** At the same places. */
  readonly invoices: readonly MatchedInvoice[];
}

export interface TableRef {
  readonly name: string;
}

export async function storeTable(blobs: BlobStore, owner: FileOwner, table: MatchTable): Promise<TableRef> {
  const bytes = Buffer.from(JSON.stringify(table));
  const digest = createHash('sha256').update(bytes).digest('hex');
  // The underscore keeps it out of the caller's resources.
  const name = `_match-${digest}.json`;
  await blobs.put(owner, { name, mimeType: 'application/json', bytes });
  return { name };
}

/** @throws when it is not there: another attempt may find it */
export async function loadTable(blobs: BlobStore, owner: FileOwner, { name }: TableRef): Promise<MatchTable> {
  const found = await blobs.read(owner, name);
  if (found === undefined) throw new Error(`The match ${name} is not in the blob store.`);
  return JSON.parse(Buffer.from(found.bytes).toString()) as MatchTable;
}

/** The invoices at these places, counted from 1. */
export function invoicesAt({ invoices }: MatchTable, indexes: readonly number[]): readonly MatchedInvoice[] {
  return indexes.flatMap((index) => invoices[index - 1] ?? []);
}
