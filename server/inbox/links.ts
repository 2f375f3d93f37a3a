/**
 * Links by which somebody outside the sign-in answers one approval. The text in the address is sealed by the front's key: it
 * says which approval it opens and what was shown with it, to nobody but a front. No front keeps it.
 */
import { digestOf } from '../../encryption/decision-signing.ts';
import { shownText, type AnswerWords, type Approval } from '../../protocol/approval.ts';
import type { ApprovalCase } from '../approvals/approval-desk.ts';
import type { PrincipalRing } from '../principal.ts';
import { createSealing, type Owner } from '../sealing.ts';
import { linkPath } from './paths.ts';

/** What a link opens. */
export interface OpenedLink {
  readonly workflowId: string;
  readonly taskId: string;
  readonly approvalId: string;
  /** Of what is to be answered: the link is good for nothing else. */
  readonly digest: string;
  readonly words: AnswerWords;
}

export interface Links {
  /** `undefined`: it is not answered by a link. */
  addressOf(found: Pick<ApprovalCase, 'workflowId' | 'taskId' | 'tool'>, approval: Approval): string | undefined;
  /** `undefined` for whatever no front has made, or is too old; it does not say which. */
  open(token: string): OpenedLink | undefined;
  /** Minted with the page, and good for that link alone: however often its form is sent, it is one answer. */
  sealForm(token: string, updateId: string): string;
  openForm(token: string, text: string | undefined): string | undefined;
}

/** Whoever opens it late is told what stands; then it is forgotten with the task. */
const TOLD_FOR_MS = 90 * 86_400_000;
const FORM_LIFE_MS = 8 * 3_600_000;
/** Whoever has it. */
const ANYBODY: Owner = { principal: 'link', formerPrincipal: 'link' };

/** `origin`: where people reach this server. */
export function createLinks(ring: PrincipalRing, origin: () => string): Links {
  const links = createSealing(ring, 'approval link');
  const forms = createSealing(ring, 'approval link form');
  return {
    addressOf({ workflowId, taskId, tool }, approval) {
      const { id: approvalId, link, words = {}, dueAt } = approval;
      if (link === undefined) return undefined;
      const opened: OpenedLink = {
        workflowId,
        taskId,
        approvalId,
        digest: digestOf(shownText(taskId, tool, approval)),
        words,
      };
      return origin() + linkPath(links.seal(opened, ANYBODY, dueAt + TOLD_FOR_MS));
    },
    open: (token) => links.open(token, ANYBODY, Date.now()) as OpenedLink | undefined,
    sealForm: (token, updateId) => forms.seal(updateId, ANYBODY, Date.now() + FORM_LIFE_MS, token),
    openForm: (token, text = '') => forms.open(text, ANYBODY, Date.now(), token) as string | undefined,
  };
}
