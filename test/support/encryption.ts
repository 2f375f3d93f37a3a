/** The keys under which the tests' processes encrypt, and what a test needs to read what they wrote. */
import type { DataConverter } from '@temporalio/common';
import { parseKeyRing } from '../../encryption/key-ring.ts';
import { createPayloadCodecs } from '../../encryption/payload-codec.ts';

/** For `ENCRYPTION_KEYS`. */
export const TEST_ENCRYPTION_KEYS = `test:${Buffer.alloc(32, 'k').toString('base64')}`;

export const testKeyRing = parseKeyRing(TEST_ENCRYPTION_KEYS);

/** For a client that reads what the tests' processes wrote. */
export const testDataConverter: DataConverter = { payloadCodecs: createPayloadCodecs(testKeyRing) };
