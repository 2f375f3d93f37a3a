/** @returns the `fileId` of what a caller has uploaded to the front at `origin` */
export async function uploadFile(origin: string, name: string, mimeType: string, bytes: Uint8Array): Promise<string> {
  const response = await fetch(`${origin}/files?name=${name}`, {
    method: 'POST',
    headers: { 'content-type': mimeType },
    body: Buffer.from(bytes),
  });
  if (response.status !== 201) throw new Error(`${name}: ${String(response.status)} ${await response.text()}`);
  return ((await response.json()) as { fileId: string }).fileId;
}
