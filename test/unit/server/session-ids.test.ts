import { describe, expect, it } from '@jest/globals';
import { NO_FEATURES } from '../../../protocol/input-feature.ts';
import { createHttpQuestions } from '../../../server/http-questions.ts';
import { createSessionIds, type SealedSession } from '../../../server/session-ids.ts';
import { testCaller } from '../../support/test-caller.ts';

const secret = Buffer.alloc(32, 1);
const [ada, bob] = [testCaller('a'.repeat(32)), testCaller('b'.repeat(32))];
const session: SealedSession = {
  protocolVersion: '2025-11-25',
  features: { ...NO_FEATURES, elicitationForm: true, sampling: true },
};

/** Every text that differs from `text` in one character, in one of its letters or digits. */
function changedIn(text: string): readonly string[] {
  return [...text].map(
    (letter, index) => `${text.slice(0, index)}${letter === 'A' ? 'B' : 'A'}${text.slice(index + 1)}`,
  );
}

describe('a session id', () => {
  const ids = createSessionIds([secret]);

  it('holds the revision and what the client declared, in visible ASCII, and shows neither', () => {
    const id = ids.seal(ada, session);
    expect(ids.open(ada, id)).toEqual(session);
    expect(id).toMatch(/^[\x21-\x7e]{1,300}$/);
    expect(Buffer.from(id, 'base64url').toString('latin1')).not.toContain('2025');
  });

  it('opens in every process with the same key, and in none with another', () => {
    const id = ids.seal(ada, session);
    expect(createSessionIds([secret]).open(ada, id)).toEqual(session);
    expect(createSessionIds([Buffer.alloc(32, 2)]).open(ada, id)).toBeUndefined();
  });

  it('opens for no other caller', () => {
    expect(ids.open(bob, ids.seal(ada, session))).toBeUndefined();
  });

  it('does not open once any of its characters is another, or when it is cut or no such text', () => {
    const id = ids.seal(ada, session);
    const others = [...changedIn(id), id.slice(1), id.slice(0, -1), `${id}A`, ` ${id}`, '', 'nonsense'];
    expect(others.filter((other) => ids.open(ada, other) !== undefined)).toEqual([]);
  });

  it('does not open for a revision that is not served any more', () => {
    expect(ids.open(ada, ids.seal(ada, { ...session, protocolVersion: '2023-01-01' }))).toBeUndefined();
  });

  it('is no id of a question, nor the other way round', () => {
    const questions = createHttpQuestions([secret]);
    expect(questions.named(ada, ids.seal(ada, session))).toBeUndefined();
    expect(ids.open(ada, questions.begin(ada, { taskId: 't', key: 'k' }))).toBeUndefined();
  });
});

describe('the id of a question', () => {
  const questions = createHttpQuestions([secret]);
  const question = { taskId: 'q95CQ2LsQiKHUfCjLsmPIg', key: 'form-1' };

  it('names task and key to every process with the same key, and another id each time', () => {
    const [first, second] = [questions.begin(ada, question), questions.begin(ada, question)];
    expect(first).not.toBe(second);
    expect(createHttpQuestions([secret]).named(ada, first)).toEqual(question);
    expect(Buffer.from(first, 'base64url').toString('latin1')).not.toContain(question.taskId);
  });

  it('names nothing to another caller, once it is changed, or when it is no such text', () => {
    const id = questions.begin(ada, question);
    const others = [...changedIn(id), 7, null, undefined, {}, [id], ''];
    expect(others.filter((other) => questions.named(ada, other) !== undefined)).toEqual([]);
    expect(questions.named(bob, id)).toBeUndefined();
  });

  it('is to be withdrawn, unless its answer came to this process', () => {
    const [answered, open] = [questions.begin(ada, question), questions.begin(ada, question)];
    questions.answered(answered);
    expect([questions.end(answered), questions.end(open), questions.end(open)]).toEqual([false, true, false]);
  });
});
