/** The `task` of a tool's body: the lifecycle's parts behind few verbs. */
import { CancellationScope, CancelledFailure } from '@temporalio/workflow';
import { elicitation, type Answer, type ElicitReply, type Form } from '../protocol/form.ts';
import { unaskable } from '../protocol/input-feature.ts';
import type { InputReply, ReplyTo } from '../protocol/input-reply.ts';
import { sampling } from '../protocol/sampling.ts';
import type { InputRequest } from '../protocol/task.ts';
import { unaskableText } from '../protocol/unaskable-text.ts';
import { urlElicitation } from '../protocol/url-elicitation.ts';
import type { ApprovalBook } from './approvals.ts';
import { ContinueRequest } from './continue-as-new.ts';
import type { ToolTaskInput } from './contract.ts';
import type { EffectLog } from './effects.ts';
import type { InputRequestBook } from './input-requests.ts';
import type { TaskRecord } from './task-record.ts';
import { toolFailure, type TaskContext } from './tool.ts';

interface Parts {
  readonly input: ToolTaskInput;
  readonly record: TaskRecord;
  readonly book: InputRequestBook;
  readonly approvals: ApprovalBook;
  readonly effects: EffectLog;
  /**
   * Settles at once what this activation has brought. A body that an activity resumes runs before the decision that
   * waits for the end of the activation, and must not act on a task that is already cancelled or over.
   */
  readonly decide: () => void;
  /** Has it decided at the end of this activation. */
  readonly wake: () => void;
}

export function createTaskContext({ input, record, book, approvals, effects, decide, wake }: Parts): TaskContext {
  const isCancelled = (): boolean => record.state.ending !== undefined;
  const throwIfCancelled = (): void => {
    decide();
    if (isCancelled()) throw new CancelledFailure('The task is being cancelled.');
  };

  async function step<T>(words: string, run: () => Promise<T>): Promise<T> {
    record.apply({ type: 'reported', message: words });
    const outcome = await run();
    record.finishStep(words);
    return outcome;
  }

  async function askAll<R extends Readonly<Record<string, InputRequest>>>(
    requests: R,
  ): Promise<{ readonly [K in keyof R]: ReplyTo<R[K]> }> {
    const asked = Object.values(requests);
    if (unaskable(asked, input.features).length > 0) throw toolFailure(unaskableText(asked, input.features));
    const entries = Object.entries(requests);
    // One scope for all: when one of them fails, the others are no longer asked.
    return CancellationScope.cancellable(async () => {
      try {
        const replies = await Promise.all(entries.map(([name, request]) => book.ask(name, request)));
        // Each reply was checked against its own request.
        return Object.fromEntries(entries.map(([name], index) => [name, replies[index]])) as {
          readonly [K in keyof R]: InputReply & ReplyTo<R[K]>;
        };
      } catch (error) {
        CancellationScope.current().cancel();
        throw error;
      }
    });
  }

  return {
    id: input.seed.taskId,
    caller: input.caller,
    get cancelled() {
      return isCancelled();
    },
    async elicit<F extends Form>(message: string, form: F) {
      const { form: reply } = await askAll({ form: elicitation(message, form) });
      return reply as ElicitReply<Answer<F>>;
    },
    async elicitUrl(message, url) {
      return (await askAll({ page: urlElicitation(message, url) })).page;
    },
    async sample(params) {
      return (await askAll({ sample: sampling(params) })).sample;
    },
    ask: askAll,
    async approval(request) {
      throwIfCancelled();
      const outcome = await approvals.ask(request, wake);
      throwIfCancelled();
      return outcome;
    },
    report(message) {
      record.apply({ type: 'reported', message });
    },
    describe(facts) {
      record.describe(facts);
    },
    step,
    async effect(words, run, undo, referenceOf) {
      throwIfCancelled();
      const outcome = await step(words, () => CancellationScope.nonCancellable(run));
      const reference = referenceOf?.(outcome);
      const told = { words, ...(reference === undefined ? {} : { reference }) };
      record.note({ type: 'effect', about: words, data: told });
      effects.remember(words, async () => {
        await undo(outcome);
        record.note({ type: 'effect', about: `${words}, undone`, data: { ...told, isUndone: true } });
      });
      throwIfCancelled();
      return outcome;
    },
    took(files) {
      for (const { fileId, name, bytes, sha256 } of files) {
        record.note({ type: 'file_taken', about: fileId, data: { fileId, file: name, bytes, digest: sha256 } });
      }
    },
    extend(byMs) {
      decide();
      record.apply({ type: 'extended', byMs, maxTtlMs: input.maxTtlMs });
      return record.state.deadlineAt;
    },
    continueAs(args) {
      decide();
      return Promise.reject(new ContinueRequest(args));
    },
  };
}
