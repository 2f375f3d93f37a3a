/** The words of a hiring: what is asked for, and what has come of it so far. */
import type { Cv, Criterion, ScoreSheet } from './score-sheet.ts';

export interface HiringRequest {
  readonly candidate: { readonly name: string; readonly email: string } & Cv;
  readonly letter?: string | undefined;
  readonly position: {
    readonly title: string;
    readonly criteria: readonly Criterion[];
    readonly minPercent: number;
  };
  /** Who scores a letter when no model does, and how long they have. */
  readonly letterRole?: string | undefined;
  readonly letterWithinSeconds: number;
  readonly rounds: readonly InterviewRound[];
  readonly offer: OfferTerms;
  /** How long those who approve the offer have, if that is less than the policy gives them. */
  readonly decideWithinSeconds?: number | undefined;
  readonly offerValidSeconds: number;
}

export interface InterviewRound {
  readonly role: string;
  readonly quorum: number;
  readonly withinSeconds: number;
  /** Who is asked as well after half of the time. */
  readonly escalateTo?: string | undefined;
}

export interface OfferTerms {
  /** Decimal string; a year's. */
  readonly salary: string;
  readonly currency: string;
  /** `YYYY-MM-DD`. */
  readonly startDate: string;
}

export interface GivenVote {
  readonly by: string;
  readonly said: string;
  readonly reason: string;
}

export interface HeldRound {
  readonly round: number;
  readonly role: string;
  readonly result: 'hire' | 'no_hire' | 'another_round' | 'not_decided' | 'broken_off';
  readonly votes: readonly GivenVote[];
}

export type HiringStage = 'screening' | 'interviews' | 'offer_approval' | 'offer';

export type HiringOutcome =
  | 'accepted'
  | 'declined'
  | 'offer_expired'
  | 'offer_not_approved'
  | 'no_hire'
  | 'not_decided_in_time'
  | 'rejected_at_screening'
  | 'withdrawn_by_candidate';

/** Filled in as the hiring goes on, so that whoever ends it half-way leaves what there is. */
export interface Hiring {
  stage: HiringStage;
  sheet?: ScoreSheet;
  readonly rounds: HeldRound[];
  readonly offerApprovedBy: string[];
  policyVersion?: string;
  offerDigest?: string;
  answerReason?: string;
}

export const SECOND_MS = 1_000;
