/** What a header says that may be encoded. Spec: streamable-http, Value Encoding. */

/** `undefined`: the marker is there, and what it holds is not base64 of UTF-8. */
export function decodeHeader(header: string): string | undefined {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(header)?.[1];
  if (encoded === undefined) return header;
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.toString('base64') !== encoded) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
