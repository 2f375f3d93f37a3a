/** The roles of a claim: a list; some issuers write one text, with spaces or commas. */
export function rolesIn(claim: unknown): readonly string[] {
  const written: readonly unknown[] = typeof claim === 'string' ? claim.split(/[\s,]+/) : [claim].flat();
  return written.filter((role) => typeof role === 'string' && role !== '') as readonly string[];
}
