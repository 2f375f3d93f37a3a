/** Somebody outside the sign-in, who answers by a link that only they were given. */

export interface LinkHolder {
  /** As others read it, without a name: `the candidate`. */
  readonly name: string;
  /** To whom the link is mailed. */
  readonly mail: string;
  /**
   * Nobody waits for it: it is open beside the work, such as a way out of it. Of the two answers only the first is offered.
   */
  readonly isStanding?: true;
}

/** Whether the task waits for it. */
export function isWaitedFor({ link }: { readonly link?: LinkHolder }): boolean {
  return link?.isStanding !== true;
}

/** A person of approvals, as far as anything is known of them. */
export interface UnknownHolder {
  readonly principals: readonly string[];
  readonly subject: string;
  readonly name: string;
}

/** Who has answered by the link of an approval: whoever had it, and nobody else could. */
export function holderOf(approvalId: string, { name }: LinkHolder): UnknownHolder {
  return { principals: [`link ${approvalId}`], subject: `link ${approvalId}`, name };
}
