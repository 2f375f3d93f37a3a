/** What is wrong with a purchase request, in words for whoever wrote it: where it is and what to do, never the value. */
export class RequestFault extends Error {
  override readonly name = 'RequestFault';

  constructor(place: string, problem: string) {
    super(`${place}: ${problem}`);
  }
}
