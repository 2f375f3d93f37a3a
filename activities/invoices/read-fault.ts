/** Why something could not be read, in words for whoever sent it: what is wrong, where, and what to do. */
export class ReadFault extends Error {
  override readonly name = 'ReadFault';
}
