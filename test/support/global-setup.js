import { tsImport } from 'tsx/esm/api';
import { findTemporal } from '../../scripts/temporal.js';

export default async function setUp() {
  const { startSharedTemporal } = await tsImport('./shared-temporal.ts', import.meta.url);
  globalThis.sharedTemporal = await startSharedTemporal(await findTemporal());
}
