/**
 * Prepares the namespace of the Temporal named by TEMPORAL_ADDRESS. Safe to run again.
 * `--owned` may create the namespace and raise its retention; `--wait-ms N` waits for a server that is starting.
 */
import { parseArgs } from 'node:util';
import { prepareNamespace } from './namespace.js';
import { exitWith } from './setup-error.js';

const { values } = parseArgs({ options: { owned: { type: 'boolean' }, 'wait-ms': { type: 'string', default: '0' } } });

try {
  for (const line of await prepareNamespace({ owned: values.owned ?? false, waitMs: Number(values['wait-ms']) })) {
    console.log(`Temporal: ${line}.`);
  }
} catch (error) {
  exitWith(error);
}
