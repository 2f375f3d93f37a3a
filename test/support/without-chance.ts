/** An answer, less what another run of the same would have otherwise: `ids` are named by their place. */
export function withoutChance(text: string, ids: readonly string[]): string {
  return ids
    .reduce((so, id, index) => so.replaceAll(id, `task ${String(index)}`), text)
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'then')
    .replaceAll(/form-[0-9a-f-]{36}/g, 'form')
    .replaceAll(/PO-\d+/g, 'PO')
    .replaceAll(/("(?:ttlMs|ttl|size)":)\d+/g, '$1 some')
    .replaceAll(/"requestState":"[^"]+"/g, '"requestState"');
}
