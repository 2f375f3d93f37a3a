/**
 * The tools for people who live in an agent: what waits for them, and what it is. None of them decides: that takes a person
 * at a page. They are there for whoever holds a role or stands in for somebody, whatever their client can do; for everybody else
 * they do not exist.
 */
import { StoreDown } from '../store/store-down.ts';
import type { ToolResult } from '../protocol/task.ts';
import { toolError } from '../workflows/tool.ts';
import { approvalGet } from './approval-tools/approval-get.ts';
import type { ApprovalTool } from './approval-tools/approval-tool.ts';
import { approvalsList } from './approval-tools/approvals-list.ts';
import { ApproversFault } from './inbox/approvers.ts';
import type { StandIn } from './inbox/stand-in.ts';
import { callerAsVisitor, type Visitor } from './inbox/visitor.ts';
import type { Log } from './log.ts';
import type { ToolCallParts } from './tool-call.ts';
import type { ListedTool } from './tool-contract.ts';

type Askable = Omit<Visitor, 'standsFor'> & { readonly standsFor: readonly StandIn[] | undefined };
type Parts = Pick<ToolCallParts, 'approvals' | 'caller' | 'cursors'>;

/** By name. */
export const approvalTools: ReadonlyMap<string, ApprovalTool> = new Map(
  [approvalsList, approvalGet].map((tool) => [tool.listed.name, tool] as const),
);

export const approvalToolNames: readonly string[] = [...approvalTools.keys()];
const listedTools: readonly ListedTool[] = [...approvalTools.values()].map(({ listed }) => listed);

const NEEDS_DATABASE =
  'What waits for whom stands in a database, and this server has none. Tell its operator to set DATABASE_URL.';
const DATABASE_AWAY = 'The server cannot reach its database at the moment. Try again in a few seconds.';

/**
 * None for whoever holds no role and stands in for nobody. While the list of approvers cannot be read, that is everybody; without
 * the database nobody stands in.
 */
export async function listedApprovalTools(parts: Parts & { readonly log: Log }): Promise<readonly ListedTool[]> {
  try {
    return (await askable(parts)) === undefined ? [] : listedTools;
  } catch (error) {
    // Of whoever holds no role: others are not looked up.
    if (error instanceof StoreDown) return [];
    if (!(error instanceof ApproversFault)) throw error;
    parts.log.error({ err: error }, 'nobody is shown the tools for approvals');
    return [];
  }
}

/** `undefined`: no such tool for this caller. @throws ApproversFault, StoreUnavailable, and what `args` throws */
export async function callApprovalTool(
  name: string,
  args: () => Readonly<Record<string, unknown>>,
  parts: Parts,
): Promise<ToolResult | undefined> {
  const tool = approvalTools.get(name);
  const { approvals, cursors } = parts;
  if (tool === undefined || approvals === undefined) return undefined;
  const visitor = await askable(parts).catch((error: unknown) => {
    // Whoever holds a role is answered as such; whether somebody else stands in cannot be told.
    if (error instanceof StoreDown) return undefined;
    throw error;
  });
  if (visitor === undefined) return undefined;
  const parsed = tool.parseArguments(args());
  if (!parsed.ok) return toolError(`The arguments do not fit ${name}:\n${parsed.faults}`);
  const { queue } = approvals;
  if (queue === undefined) return toolError(NEEDS_DATABASE);
  try {
    const standsFor = visitor.standsFor ?? (await standInsOf(parts, visitor));
    return await tool.run(parsed.args, { ...approvals, queue, visitor: { ...visitor, standsFor }, cursors });
  } catch (error) {
    if (error instanceof StoreDown) return toolError(DATABASE_AWAY);
    throw error;
  }
}

/** Whom an approval may ask. For whom they stand in is not looked up where their own role is enough. */
async function askable(parts: Parts): Promise<Askable | undefined> {
  const { approvals, caller } = parts;
  if (approvals === undefined || caller.approver === undefined) return undefined;
  const visitor = callerAsVisitor(caller, caller.approver, await approvals.approvers());
  if (visitor.roles.length > 0) return { ...visitor, standsFor: undefined };
  const standsFor = await standInsOf(parts, visitor);
  return standsFor.length > 0 ? { ...visitor, standsFor } : undefined;
}

async function standInsOf({ approvals }: Parts, { person }: Pick<Visitor, 'person'>): Promise<readonly StandIn[]> {
  const { subject, organisation } = person;
  return (await approvals?.standInsOf?.({ subject, ...(organisation && { tenant: organisation }) })) ?? [];
}
