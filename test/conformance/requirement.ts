/** The specification's word; `rule` where it states a fact without one of them. */
export type Force = 'MUST' | 'MUST NOT' | 'SHOULD' | 'MAY' | 'rule';

/** What a server owes by the specification, in our own words. A test cites it, or one of the others says why none does. */
export interface Requirement {
  readonly force: Force;
  readonly rule: string;
  /** A scenario of the official suite that checks it. */
  readonly scenario?: string;
  /** Why nothing checks it. */
  readonly excused?: string;
}
type Without = Pick<Requirement, 'scenario' | 'excused'>;

export const must = (rule: string, without: Without = {}): Requirement => ({ force: 'MUST', rule, ...without });
export const mustNot = (rule: string, without: Without = {}): Requirement => ({ force: 'MUST NOT', rule, ...without });
export const should = (rule: string, without: Without = {}): Requirement => ({ force: 'SHOULD', rule, ...without });
export const may = (rule: string, without: Without = {}): Requirement => ({ force: 'MAY', rule, ...without });
export const states = (rule: string, without: Without = {}): Requirement => ({ force: 'rule', rule, ...without });
