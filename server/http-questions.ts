/**
 * Questions that go out on the stream of a held request while their answers come as requests of their own, to this front or
 * to another one. The JSON-RPC id of a question names, sealed, what it asks of which task: whoever gets the answer knows from
 * it where to deliver.
 */
import type { Caller } from './caller.ts';
import type { PrincipalRing } from './principal.ts';
import { createSealing } from './sealing.ts';

export interface QuestionName {
  readonly taskId: string;
  readonly key: string;
}

export interface HttpQuestions {
  /** A new id for each time that the question is put. Whoever puts it calls `end` when it is withdrawn. */
  begin(caller: Caller, question: QuestionName): string;
  /** What a response answers; `undefined` for what is no id of a question to this caller. */
  named(caller: Caller, id: unknown): QuestionName | undefined;
  /** Its answer came here. */
  answered(id: string): void;
  /** `false`: its answer has come here, and there is nothing to withdraw. One that came to another front is not known. */
  end(id: string): boolean;
}

/** The task says how long it is asked: an answer that comes late changes nothing. */
const NEVER = Number.MAX_SAFE_INTEGER;

export function createHttpQuestions(ring: PrincipalRing): HttpQuestions {
  const sealing = createSealing(ring, 'question');
  const unanswered = new Set<string>();
  return {
    begin(caller, { taskId, key }) {
      const id = sealing.seal({ taskId, key }, caller, NEVER);
      unanswered.add(id);
      return id;
    },
    named(caller, id) {
      if (typeof id !== 'string') return undefined;
      return sealing.open(id, caller, Date.now()) as QuestionName | undefined;
    },
    answered: (id) => void unanswered.delete(id),
    end: (id) => unanswered.delete(id),
  };
}
