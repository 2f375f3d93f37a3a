/** A tool that shows approvals to one who may be asked for them. */
import type { z as zod } from 'zod';
import type { ApprovalQueue } from '../../protocol/approval-queue.ts';
import type { JsonObject, ToolResult } from '../../protocol/task.ts';
import type { ToolBase } from '../../workflows/tool.ts';
import type { ReadableApprovals } from '../approvals/approval-source.ts';
import type { Visitor } from '../inbox/visitor.ts';
import type { Sealing } from '../sealing.ts';
import { createCallContract, type CallContract } from '../tool-contract.ts';

export interface ApprovalToolParts extends ReadableApprovals {
  readonly queue: ApprovalQueue;
  /** Who asks; they hold a role, or stand in for somebody. */
  readonly visitor: Visitor;
  readonly cursors: Sealing;
}

export interface ApprovalTool extends CallContract {
  /** It starts and changes nothing: the scope to read is enough. */
  readonly onlyReads: true;
  run(args: JsonObject, parts: ApprovalToolParts): Promise<ToolResult>;
}

interface Definition<S extends zod.ZodObject> extends Omit<ToolBase<S>, 'askFirst' | 'output' | 'scopes'> {
  run(args: zod.output<S>, parts: ApprovalToolParts): Promise<ToolResult>;
}

export function defineApprovalTool<S extends zod.ZodObject>(tool: Definition<S>): ApprovalTool {
  return {
    ...createCallContract(tool, false),
    onlyReads: true,
    // The arguments were read by the schema of this very tool.
    run: (args, parts) => tool.run(args as zod.output<S>, parts),
  };
}
