/**
 * Three callers use each other's ids in every way there is. No answer to one of them depends on what the others have: it is
 * the same, word for word, where nothing of the others was ever there.
 */
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FolderBlobStore } from '../../store/folder-blobs.ts';
import type { IsolationStep as Step } from '../support/isolation-step.ts';
import { IsolationWorld, type IsolationParts } from '../support/isolation-world.ts';
import { openProduct } from '../support/product.ts';
import { startTokenIssuer } from '../support/token-issuer.ts';
import { verifies } from '../support/verifies.ts';

const AUDIENCE = 'https://host.test/mcp';
const ACTORS = [0, 1, 2];
const RUN_COUNT = 12;

let parts: IsolationParts;
beforeAll(async () => {
  const product = await openProduct();
  const issuer = await startTokenIssuer({ audience: AUDIENCE });
  const auth = { AUTH: 'jwt', AUTH_ISSUER: issuer.url, AUTH_AUDIENCE: AUDIENCE };
  const [front] = await Promise.all([product.startFront(auth), product.startWorker()]);
  const blobs = new FolderBlobStore(join(product.env['DATA_DIR'] ?? '', 'blobs'));
  parts = { origin: front.url, issuer, blobs, principalKey: Buffer.from(product.env['PRINCIPAL_KEY'] ?? '', 'hex') };
}, 90_000);

const TOUCHES = [
  'get',
  'update',
  'cancel',
  'wait',
  'result',
  'answer',
  'stop',
  'older get',
  'older result',
  'read',
  'listen',
] as const;

const actor = fc.constantFrom(...ACTORS);
const target = fc.nat({ max: 5 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('call' as const),
    actor,
    key: fc.option(fc.nat({ max: 1 }), { nil: undefined }),
    variant: fc.nat({ max: 1 }),
  }),
  fc.record({ kind: fc.constantFrom(...(['ask', 'list', 'list as older', 'page'] as const)), actor }),
  fc.record({
    kind: fc.constantFrom(...([...TOUCHES, 'resume', 'turn'] as const)),
    actor,
    target,
  }),
);

/** Each way to touch a task and a requestState, by somebody else and then by its owner. */
const call = (who: number): Step => ({ kind: 'call', actor: who, key: 0, variant: who });
const EVERY_WAY: readonly Step[] = [
  call(0),
  call(1),
  { kind: 'ask', actor: 0 },
  { kind: 'page', actor: 0 },
  ...[1, 0].flatMap((who): Step[] => [
    { kind: 'get', actor: who, target: 0 },
    { kind: 'wait', actor: who, target: 0 },
    { kind: 'read', actor: who, target: 0 },
    { kind: 'listen', actor: who, target: 0 },
    { kind: 'resume', actor: who, target: 0 },
    { kind: 'turn', actor: who, target: 0 },
    { kind: 'list', actor: who },
    { kind: 'list as older', actor: who },
    { kind: 'older get', actor: who, target: 0 },
    { kind: 'update', actor: who, target: 0 },
    { kind: 'answer', actor: who, target: 0 },
    { kind: 'stop', actor: who, target: 0 },
    { kind: 'cancel', actor: who, target: 0 },
    { kind: 'get', actor: who, target: 0 },
    { kind: 'result', actor: who, target: 0 },
    { kind: 'older result', actor: who, target: 0 },
  ]),
];

/** The first two are one task with two places: who does not own it touches it by the second. */
const ONE_TASK_TWICE: readonly Step[] = [
  call(0),
  call(0),
  ...EVERY_WAY.flatMap((one): Step[] => ('target' in one && one.actor === 1 ? [{ ...one, target: 1 }] : [])),
];

/** By actor, what it was answered, in order. `alone`: only that one acts. */
async function play(steps: readonly Step[], alone?: number): Promise<ReadonlyMap<number, readonly string[]>> {
  const world = new IsolationWorld(parts);
  const answers = new Map<number, readonly string[]>();
  for (const one of steps) {
    if (alone === undefined || one.actor === alone) {
      answers.set(one.actor, [...(answers.get(one.actor) ?? []), await world.take(one)]);
    } else {
      world.pretend(one);
    }
  }
  return answers;
}

describe('what one caller is answered', () => {
  it('does not depend on what other callers have', async () => {
    verifies('sec.authorize');
    const steps = fc.array(step, { minLength: 8, maxLength: 14 });
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const [together, alone] = await Promise.all([
          play(sequence),
          Promise.all(ACTORS.map((who) => play(sequence, who))),
        ]);
        for (const who of ACTORS) expect(together.get(who)).toEqual(alone[who]?.get(who));
      }),
      { numRuns: RUN_COUNT, examples: [[[...EVERY_WAY]], [[...ONE_TASK_TWICE]]], endOnFailure: true },
    );
  }, 300_000);
});
