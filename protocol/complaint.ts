/** Asking again, when an answer was of no use. */
import type { InputRequest } from './task.ts';

/** A first question and three repetitions. */
export const MAX_ASKING_ROUNDS = 4;

/** The same request again, saying why the last answer was of no use. Only an elicitation has words for a person. */
export function withComplaint(request: InputRequest, problem: string): InputRequest {
  const { message } = request.params;
  if (request.method !== 'elicitation/create' || typeof message !== 'string') return request;
  return {
    ...request,
    params: { ...request.params, message: `The last answer could not be used: ${problem}. ${message}` },
  };
}

/** What the caller is told once `MAX_ASKING_ROUNDS` are over. */
export function uselessAnswersText(request: InputRequest, problem: string): string {
  return `No answer to "${wordsOf(request)}" could be used. The last one: ${problem}.`;
}

/** What a request says to a person, or else its kind. */
export function wordsOf({ method, params: { message } }: InputRequest): string {
  return typeof message === 'string' ? message : method;
}
