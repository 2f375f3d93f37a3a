/** Vendors by name. One name in all its spellings: width, case, spaces and what nobody sees do not make another vendor. */

export function isSameVendor(one: string, other: string): boolean {
  return comparableVendor(one) === comparableVendor(other);
}

/** The same for all spellings of one name. */
export function comparableVendor(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim();
}
