/** Tools that show one trait of the lifecycle each. Workflow code: it runs in the sandbox. */
import { CancellationScope, proxyActivities, sleep } from '@temporalio/workflow';
import type { LifecycleActivities } from './lifecycle-activities.ts';
import { choice, elicitation, flag, integer, text } from '../../protocol/form.ts';
import { createCatalog, defineTool, protocolFailure, toolFailure, toolResult } from '../../workflows/tool.ts';

const activities = proxyActivities<LifecycleActivities>({
  startToCloseTimeout: '60 seconds',
  heartbeatTimeout: '20 seconds',
  retry: { initialInterval: '200 milliseconds', maximumAttempts: 20 },
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
});

const { leaveOpen } = proxyActivities<LifecycleActivities>({
  startToCloseTimeout: '60 seconds',
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
});

const base = { title: 'Test', description: 'Test', task: 'optional' } as const;

export const catalog = createCatalog([
  defineTool({
    ...base,
    name: 'ask_one',
    input: (z) => z.object({}),
    async run(_input, task) {
      const form = { cost_centre: choice(['CC-1', 'CC-2']), reason: text({ minLength: 3 }) };
      const reply = await task.elicit('Which cost centre?', form);
      return toolResult(reply.action === 'accept' ? `accepted ${reply.content.cost_centre}` : reply.action);
    },
  }),
  defineTool({
    ...base,
    name: 'ask_two',
    input: (z) => z.object({}),
    async run(_input, task) {
      const replies = await task.ask({
        size: elicitation('Which size?', { size: integer({ minimum: 1 }) }),
        gift: elicitation('A gift?', { gift: flag() }),
      });
      return toolResult('answered', { structured: { size: replies.size.action, gift: replies.gift.action } });
    },
  }),
  defineTool({
    ...base,
    name: 'wait',
    input: (z) => z.object({ ms: z.number(), extendMs: z.number().optional() }),
    async run({ ms, extendMs }, task) {
      if (extendMs !== undefined) task.extend(extendMs);
      await task.step('Waiting', () => sleep(ms));
      return toolResult('waited');
    },
  }),
  defineTool({
    ...base,
    name: 'report_often',
    input: (z) => z.object({ times: z.number() }),
    async run({ times }, task) {
      for (let count = 1; count <= times; count += 1) {
        task.report(`${String(count)} of ${String(times)}`);
        await activities.tick();
      }
      return toolResult('reported');
    },
  }),
  defineTool({
    ...base,
    name: 'with_effect',
    input: (z) => z.object({ effectMs: z.number(), restMs: z.number(), undo: z.enum(['works', 'refused']).optional() }),
    async run({ effectMs, restMs, undo }, task) {
      const outcome = await task.effect(
        'Doing it',
        () => activities.doEffect({ taskId: task.id, ms: effectMs }),
        () => activities.undoEffect({ taskId: task.id, undo: undo ?? 'works' }),
      );
      if (restMs > 0) await sleep(restMs);
      return toolResult(`kept ${outcome}`);
    },
  }),
  defineTool({
    ...base,
    name: 'two_effects',
    input: (z) => {
      const undo = z.enum(['works', 'refused', 'crashes', 'has a bug']);
      return z.object({ first: undo, second: undo });
    },
    async run(undos, task) {
      for (const name of ['first', 'second'] as const) {
        const [taskId, undo] = [`${task.id}:${name}`, undos[name]];
        await task.effect(
          `Do the ${name}`,
          () => activities.doEffect({ taskId, ms: 0 }),
          () => {
            if (undo === 'has a bug') throw new TypeError('a bug in an undo');
            return activities.undoEffect({ taskId, undo });
          },
        );
      }
      await sleep(30_000);
      return toolResult('kept both');
    },
  }),
  defineTool({
    ...base,
    name: 'act_when_resumed',
    input: (z) => z.object({ act: z.enum(['effect', 'extend', 'continueAs']) }),
    async run({ act }, task) {
      await leaveOpen({ taskId: task.id });
      if (act === 'continueAs') return task.continueAs({ act });
      if (act === 'effect') {
        await task.effect(
          'Doing it',
          () => activities.doEffect({ taskId: task.id, ms: 0 }),
          () => activities.undoEffect({ taskId: task.id, undo: 'works' }),
        );
      } else {
        task.extend(60_000);
        await activities.tick();
      }
      return toolResult(act);
    },
  }),
  defineTool({
    ...base,
    name: 'end_with',
    input: (z) => z.object({ how: z.string() }),
    async run({ how }) {
      switch (how) {
        case 'tool failure':
          throw toolFailure('The supplier refused the order.');
        case 'protocol failure':
          throw protocolFailure({ code: -31555, message: 'No such quota.', data: { quota: 3 } });
        case 'activity crash':
          await activities.crash();
          break;
        case 'activity refusal':
          await activities.refuse();
          break;
        case 'large result':
          return toolResult('x'.repeat(200_000));
        case 'too large result':
          return toolResult('x'.repeat(900_000));
        case 'not JSON':
          return toolResult('mean', { structured: { mean: Number.NaN } });
      }
      return toolResult(how);
    },
  }),
  defineTool({
    ...base,
    name: 'count_runs',
    input: (z) => z.object({ run: z.number() }),
    async run({ run }, task) {
      task.describe({ Run: String(run) });
      if (run < 3) {
        if (run === 2) await task.elicit('Go on?', { go: flag() });
        return task.continueAs({ run: run + 1 });
      }
      return toolResult(`run ${String(run)}`);
    },
  }),
  defineTool({
    ...base,
    name: 'close_keys',
    input: (z) => z.object({ run: z.number(), count: z.number() }),
    async run({ run, count }, task) {
      await task.elicit(`Go on with run ${String(run)}?`, { go: flag() });
      if (run === 2) return toolResult('run 2');
      for (let closed = 0; closed < count; closed += 1) {
        // A body has to yield now and then.
        if (closed % 50 === 0) await activities.tick();
        await CancellationScope.cancellable(async () => {
          const withdrawn = task.elicit('Never mind.', { go: flag() }).catch(() => undefined);
          CancellationScope.current().cancel();
          await withdrawn;
        });
      }
      return task.continueAs({ run: 2, count });
    },
  }),
  defineTool({
    ...base,
    name: 'progress',
    input: (z) => z.object({}),
    async run() {
      await activities.makeProgress();
      return toolResult('done');
    },
  }),
  defineTool({
    ...base,
    name: 'cannot_replay',
    input: (z) => z.object({}),
    run() {
      throw new TypeError('a bug in workflow code with a secret: postgres://u:p@db/x');
    },
  }),
]);
