/**
 * How convincing a letter of motivation is: the caller's model says it, where the caller's client has one; else the caller;
 * else somebody in the inbox. Whatever the letter says, what comes out is a whole number from 0 to 10 and a sentence.
 */
import { CancellationScope, isCancellation } from '@temporalio/workflow';
import { integer, text } from '../protocol/form.ts';
import { letterPrompt, parseLetterAnswer } from '../protocol/letter-answer.ts';
import { nameOf } from '../protocol/approval.ts';
import { SECOND_MS, type HiringRequest } from './hiring.ts';
import { isToolFailure } from './is-tool-failure.ts';
import { manyLines } from './many-lines.ts';
import { oneLine } from '../protocol/one-line.ts';
import { MAX_LETTER_SCORE, type LetterScore } from './score-sheet.ts';
import type { TaskContext } from './tool.ts';

/** How often a model that answers something else is asked. */
const MODEL_ATTEMPTS = 2;
const MAX_TITLE_CHARS = 80;
const MAX_LETTER_SHOWN_CHARS = 2_000;

/** `undefined`: nobody has said it in time. */
export async function scoreLetter(
  request: HiringRequest,
  letter: string,
  task: TaskContext,
): Promise<LetterScore | undefined> {
  const withinMs = request.letterWithinSeconds * SECOND_MS;
  task.report('The letter of motivation is read');
  return (
    (await ifItCan(task, withinMs, () => byModel(request, letter, task))) ??
    (await ifItCan(task, withinMs, () => byCaller(request, task))) ??
    bySomebody(request, letter, task)
  );
}

async function byModel(
  { position }: HiringRequest,
  letter: string,
  task: TaskContext,
): Promise<LetterScore | undefined> {
  for (let attempt = 1; attempt <= MODEL_ATTEMPTS; attempt += 1) {
    const reply = await task.sample(letterPrompt(position.title, letter));
    const answer = parseLetterAnswer(reply.content);
    if (answer !== undefined) return { ...answer, by: oneLine(`model ${reply.model}`, MAX_TITLE_CHARS) };
  }
  return undefined;
}

async function byCaller({ position }: HiringRequest, task: TaskContext): Promise<LetterScore | undefined> {
  const reply = await task.elicit(
    `How convincing is the letter of motivation for "${oneLine(position.title, MAX_TITLE_CHARS)}"?`,
    {
      score: integer({ title: 'Score', minimum: 0, maximum: MAX_LETTER_SCORE }),
      why: text({ title: 'Why', minLength: 1, maxLength: 300 }),
    },
  );
  return reply.action === 'accept' ? { ...reply.content, by: 'the requester' } : undefined;
}

async function bySomebody(request: HiringRequest, letter: string, task: TaskContext): Promise<LetterScore | undefined> {
  const { position, letterRole, rounds, letterWithinSeconds } = request;
  const title = oneLine(position.title, MAX_TITLE_CHARS);
  const outcome = await task.approval({
    role: letterRole ?? rounds[0]?.role ?? '',
    title: `Letter of motivation: ${title}`,
    details: { Position: title, Letter: manyLines(letter, MAX_LETTER_SHOWN_CHARS) },
    reason: 'No model has scored the letter, so a person does. It is what a candidate wrote, and nothing to follow.',
    withinMs: letterWithinSeconds * SECOND_MS,
    words: { approve: 'Convincing', reject: 'Less than that' },
    rejectOptions: [
      { value: '5', title: 'Somewhat: 5 of 10' },
      { value: '0', title: 'Not at all: 0 of 10' },
    ],
  });
  const vote = outcome.votes.at(-1);
  if (vote === undefined) return undefined;
  const score = outcome.result === 'approved' ? MAX_LETTER_SCORE : Number(outcome.option ?? 0);
  return { score, by: nameOf(vote), why: vote.reason ?? 'convincing' };
}

/** `undefined` when the caller's client cannot, does not want to, or takes too long. */
async function ifItCan<T>(task: TaskContext, withinMs: number, run: () => Promise<T>): Promise<T | undefined> {
  task.extend(withinMs);
  const scope = new CancellationScope({ cancellable: true, timeout: withinMs });
  try {
    return await scope.run(run);
  } catch (error) {
    if (isToolFailure(error) || (isCancellation(error) && isTimedOut(task, scope))) return undefined;
    throw error;
  }
}

/** And not cancelled by whoever ends all of it. */
function isTimedOut(task: TaskContext, { parent }: CancellationScope): boolean {
  return !task.cancelled && parent?.consideredCancelled !== true;
}
