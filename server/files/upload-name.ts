const MAX_BYTES = 255;

/** How a caller calls a file, from `?name=`; `undefined` when it is none that a file can have. */
export function readUploadName(query: URLSearchParams): string | undefined {
  const names = query.getAll('name');
  const name = names[0]?.normalize('NFC') ?? '';
  if (names.length !== 1 || name.trim() === '' || Buffer.byteLength(name) > MAX_BYTES) return undefined;
  // What is not seen, or turns around what is seen, is no part of a name; nor is a folder.
  return /[/\\\p{C}\p{Zl}\p{Zp}\ufffd]/u.test(name) || /^\.+$/.test(name) ? undefined : name;
}
