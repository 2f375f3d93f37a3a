import type { JsonObject } from '../../protocol/task.ts';
import { toolError, toolResult } from '../../workflows/tool.ts';
import { lookAtQueue, type QueueRow } from '../inbox/queue-look.ts';
import { defineApprovalTool } from './approval-tool.ts';

const CURSOR_TTL_MS = 3_600_000;
const UNUSABLE_CURSOR =
  'The cursor is unknown or too old, or was given for another role. Repeat its call with the same role, or call ' +
  'approvals_list without a cursor.';

export const approvalsList = defineApprovalTool({
  name: 'approvals_list',
  title: 'Approvals that wait for you',
  description:
    'Lists what waits for a decision of yours, also what you decide for somebody whom you stand in for (onBehalfOf), what is due ' +
    'first, first. approval_get shows one whole and says where a ' +
    'person decides it; no tool decides.',
  input: (z) =>
    z.object({
      role: z.string().optional().describe('Only what is asked of this role of yours'),
      limit: z.int().min(1).max(100).default(20).describe('How many approvals at a time'),
      cursor: z.string().optional().describe('nextCursor of the page before, with the same role'),
    }),
  async run({ role, limit, cursor }, { visitor, cursors, ...source }) {
    const { caller, roles } = visitor;
    if (role !== undefined && !roles.includes(role))
      return toolError(`role must be one of yours: ${roles.join(', ')}.`);
    const listed = JSON.stringify(['approvals', role]);
    const after = cursor === undefined ? undefined : cursors.open(cursor, caller, Date.now(), listed);
    if (cursor !== undefined && typeof after !== 'string') return toolError(UNUSABLE_CURSOR);
    const position = typeof after === 'string' ? { after } : {};
    const { rows, next } = await lookAtQueue(source, visitor, { role, limit, ...position });
    const more = next === undefined ? '' : ' There may be more: call again with nextCursor.';
    const count = `${String(rows.length)} ${rows.length === 1 ? 'approval waits' : 'approvals wait'} for you.`;
    return toolResult(`${count}${more}`, {
      structured: {
        approvals: rows.map(shown),
        ...(next === undefined ? {} : { nextCursor: cursors.seal(next, caller, Date.now() + CURSOR_TTL_MS, listed) }),
      },
    });
  },
});

function shown({ approval, standIn }: QueueRow): JsonObject {
  const { id, title, amount, requestedBy, openedAt, dueAt, votes, quorum } = approval;
  return {
    id,
    title,
    ...(amount === undefined ? {} : { amount }),
    requestedBy,
    since: new Date(openedAt).toISOString(),
    due: new Date(dueAt).toISOString(),
    votes: votes.length,
    quorum,
    ...(standIn === undefined ? {} : { onBehalfOf: standIn.person.name }),
  };
}
