export default async function tearDown() {
  await globalThis.sharedTemporal?.end();
}
