import { digestOf } from '../../encryption/decision-signing.ts';
import { nameOf, shownText, type DecidedApproval, type Vote } from '../../protocol/approval.ts';
import { fileNameOf } from '../../protocol/blob-ref.ts';
import type { JsonObject, ToolResult } from '../../protocol/task.ts';
import { toolError, toolResult } from '../../workflows/tool.ts';
import { decidedSentence } from '../approvals/decided-sentence.ts';
import { lookAtApproval, type OpenLook } from '../inbox/approval-look.ts';
import { approvalPath, documentPath } from '../inbox/paths.ts';
import { viewedAct } from '../inbox/told-views.ts';
import { defineApprovalTool } from './approval-tool.ts';

/** Whatever is no id is not found, like an id of somebody else: nothing to probe. */
const ID_PATTERN = /^[\w-]{1,100}$/;
/** The same words for what was never there and what asks somebody else. */
const NOT_FOUND =
  'No such approval. The id is unknown, or it asks somebody else. approvals_list names those that wait.';

export const approvalGet = defineApprovalTool({
  name: 'approval_get',
  title: 'One approval',
  description:
    'Shows one approval whole: what will happen, why it needs a decision, who has decided so far, and the page where a ' +
    'person decides it. Give the user that link: no tool decides.',
  input: (z) => z.object({ id: z.string().describe('The id of the approval, as approvals_list has it') }),
  async run({ id }, { visitor, audit, inboxUrl, ...source }) {
    const look = ID_PATTERN.test(id) ? await lookAtApproval(source, visitor, id) : undefined;
    if (look === undefined) return toolError(NOT_FOUND);
    if (look.kind === 'decided') return decidedResult(look.decided);
    const { found, approval } = look;
    // Nothing is shown that the audit does not know of.
    await audit?.append(viewedAct(visitor, look, digestOf(shownText(found.taskId, found.tool, approval)), 'mcp'));
    const addressOf = (path: string): string => new URL(path, inboxUrl()).href;
    const decideAt = addressOf(approvalPath(id));
    const text = `${approval.title}. ${nextStep(look)} ${decideAt}`;
    return toolResult(text, { structured: { approval: { ...shown(look, addressOf), decideAt } } });
  },
});

function nextStep({ mayDecide, standIn }: OpenLook): string {
  const forWhom = standIn === undefined ? '' : ` for ${standIn.person.name}`;
  switch (mayDecide) {
    case 'yes':
      return `It waits for your decision${forWhom}. No tool decides: open this page and sign in.`;
    case 'own':
      return 'It is a request of yours, so somebody else decides, at this page:';
    case 'voted':
      return standIn === undefined
        ? 'You have decided, and it waits for others, at this page:'
        : `It was decided${forWhom}, and waits for others, at this page:`;
  }
}

function shown({ found, approval, mayDecide, standIn }: OpenLook, addressOf: (path: string) => string): JsonObject {
  const { id, title, amount, details, reason, requestedBy, roles, people, quorum, votes, documents } = approval;
  const files = documents.flatMap((uri) => fileNameOf(uri, found.taskId) ?? []);
  return {
    id,
    title,
    ...(amount === undefined ? {} : { amount }),
    willHappen: details,
    reason,
    requestedBy,
    asked: { roles, people },
    quorum,
    votes: votes.map(shownVote),
    documents: files.map((name) => ({ name, url: addressOf(documentPath(id, name)) })),
    since: new Date(approval.openedAt).toISOString(),
    due: new Date(approval.dueAt).toISOString(),
    mayDecide,
    ...(standIn === undefined ? {} : { onBehalfOf: standIn.person.name }),
  };
}

function shownVote(vote: Vote): JsonObject {
  const { choice, option, reason, at } = vote;
  return {
    by: nameOf(vote),
    choice,
    ...(option === undefined ? {} : { option }),
    ...(reason === undefined ? {} : { reason }),
    at: new Date(at).toISOString(),
  };
}

function decidedResult({ id, title, result, at, by }: DecidedApproval): ToolResult {
  const time = new Date(at).toISOString();
  return toolResult(`${title}. ${decidedSentence(result, by)} ${time}.`, {
    structured: { approval: { id, title, result, at: time, by } },
  });
}
