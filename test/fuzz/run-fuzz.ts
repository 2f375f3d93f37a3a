/**
 * `npm run fuzz`: bad requests against a live server, with a well-behaved client beside them. `-- --count N --seed S`. The
 * last line is a summary of counts; exit 1 on any violation: a crash, silence, an answer that is unclear, shows something
 * inside or is somebody else's, memory that grows, or a well-behaved client that fails.
 */
import { parseArgs } from 'node:util';
import { residentMiB, type Endings } from '../support/parts.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { badRequest } from './bad-requests.ts';
import { startCalmClient } from './calm-client.ts';
import { startFuzzSystem } from './fuzz-system.ts';
import { exchange } from './raw-exchange.ts';
import { faultOf } from './verdict.ts';

const AT_ONCE = 8;
/** The heap is as large as it gets after this share of the requests. */
const WARM_SHARE = 0.3;
const MAX_GROWTH_MIB = 150;
const MAX_SHOWN = 20;

const { values } = parseArgs({
  options: { count: { type: 'string', default: '10000' }, seed: { type: 'string' } },
});
const count = Number(values.count);
const random = seededRandom('fuzz', values.seed === undefined ? undefined : Number(values.seed));
const endings: Endings = [];
const violations: string[] = [];

async function run(): Promise<string> {
  const { front, worker, owner, stranger, publicAddresses } = await startFuzzSystem(endings);
  const port = Number(new URL(front.origin).port);
  const calm = await startCalmClient(front.origin, owner);
  const target = { host: `127.0.0.1:${String(port)}`, token: stranger, foreignTaskId: calm.taskId };
  const asked = { foreign: calm.own, publicAddresses };
  const statuses = new Map<string, number>();
  let [sent, warmMiB] = [0, 0];

  async function send(): Promise<void> {
    while (sent < count && front.child.isRunning() && worker.child.isRunning()) {
      sent += 1;
      const number = sent;
      const { kind, chunks, isWhole } = badRequest(random, target);
      const answer = await exchange(port, chunks);
      const fault = faultOf(answer, { ...asked, isWhole });
      if (fault !== undefined)
        violations.push(`request ${String(number)}, ${kind}: ${fault}\n${shown(chunks, answer.text)}`);
      const status = answer.isTimeout ? 'late' : String(answer.status ?? 'closed');
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (number === Math.floor(count * WARM_SHARE)) warmMiB = (await residentMiB(front)) ?? 0;
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, send));

  const { askCount, faults } = await calm.stop();
  violations.push(...faults.map((fault) => `the well-behaved client: ${fault}`));
  for (const [name, { child }] of Object.entries({ front, worker })) {
    if (!child.isRunning()) violations.push(`the ${name} has ended:\n${child.output()}`);
  }
  const endMiB = (await residentMiB(front)) ?? 0;
  if (endMiB - warmMiB > MAX_GROWTH_MIB) {
    violations.push(`memory has grown from ${String(warmMiB)} to ${String(endMiB)} MiB`);
  }
  const byStatus = [...statuses].sort().map(([status, times]) => `${status} ${String(times)}`);
  return (
    `seed ${String(random.seed)}: ${String(sent)} bad requests (${byStatus.join(', ')}), ` +
    `${String(askCount)} good ones beside them, ${String(warmMiB)} to ${String(endMiB)} MiB, ${String(violations.length)} violations`
  );
}

function shown(chunks: readonly (string | Uint8Array)[], answer: string): string {
  const request = chunks.map((chunk) => Buffer.from(chunk).toString('latin1')).join('');
  return `  sent ${JSON.stringify(request.slice(0, 1_500))}\n  got  ${JSON.stringify(answer.slice(0, 800))}`;
}

try {
  const summary = await run();
  for (const violation of violations.slice(0, MAX_SHOWN)) console.error(violation);
  console.log(summary);
  process.exitCode = violations.length === 0 ? 0 : 1;
} finally {
  for (const end of endings) await end();
}
