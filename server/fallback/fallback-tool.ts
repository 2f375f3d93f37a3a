/** A tool of the server's own, for clients that have no other words for tasks. */
import type { z as zod } from 'zod';
import type { JsonObject, ToolResult } from '../../protocol/task.ts';
import type { ToolBase } from '../../workflows/tool.ts';
import { createCallContract, type CallContract } from '../tool-contract.ts';
import type { ToolCallParts } from '../tool-call.ts';
import type { Waiting } from '../wait-for-task.ts';

export interface FallbackTool extends CallContract {
  /** It starts and changes nothing. */
  readonly onlyReads: boolean;
  run(args: JsonObject, parts: ToolCallParts, waiting: Waiting): Promise<ToolResult>;
}

interface Definition<S extends zod.ZodObject> extends Omit<ToolBase<S>, 'askFirst' | 'output' | 'scopes'> {
  readonly onlyReads: boolean;
  run(args: zod.output<S>, parts: ToolCallParts, waiting: Waiting): Promise<ToolResult>;
}

export function defineFallbackTool<S extends zod.ZodObject>(tool: Definition<S>): FallbackTool {
  return {
    ...createCallContract(tool, false),
    onlyReads: tool.onlyReads,
    // The arguments were read by the schema of this very tool.
    run: (args, parts, waiting) => tool.run(args as zod.output<S>, parts, waiting),
  };
}
