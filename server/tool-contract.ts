/** What the front server derives from a tool once, at start: its schema, its entry in `tools/list`, its headers. */
import { z } from 'zod';
import type { Catalog, Tool, ToolBase } from '../workflows/tool.ts';
import type { JsonObject, JsonValue } from '../protocol/task.ts';
import { firstNonJsonPath } from '../protocol/json-value.ts';
import { describeIssues } from './argument-faults.ts';

/** What a client is told of a tool, and how its arguments are read. */
export interface CallContract {
  /** As `tools/list` shows it. */
  readonly listed: ListedTool;
  /** Arguments that a client mirrors in `Mcp-Param-*` headers. */
  readonly paramHeaders: readonly ParamHeader[];
  parseArguments(raw: Readonly<Record<string, unknown>>): ParsedArguments;
}

export interface ToolContract extends CallContract {
  readonly tool: Tool;
}

export interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonObject & { readonly type: 'object' };
  readonly outputSchema?: JsonObject & { readonly type: 'object' };
  /** A word of MCP 2025-11-25 only. */
  readonly execution?: { readonly taskSupport: 'forbidden' | 'optional' | 'required' };
}

export interface ParamHeader {
  readonly name: string;
  readonly path: readonly string[];
  readonly type: string;
}

export type ParsedArguments =
  | { readonly ok: true; readonly args: JsonObject; readonly idempotencyKey?: string }
  /** Names each member and what it must be; never what it was. */
  | { readonly ok: false; readonly faults: string };

export type ToolContracts = ReadonlyMap<string, ToolContract>;

/** 1 to 255 visible characters or spaces. */
export const IDEMPOTENCY_KEY_PATTERN = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]{1,255}$/u;

const idempotencyKey = z
  .string()
  .regex(IDEMPOTENCY_KEY_PATTERN, { error: 'must be 1 to 255 visible characters' })
  .optional()
  .describe(
    'Set this to a new random string for each action that is meant, and send the same string again when you repeat a call ' +
      'because its answer was lost: the action is then done once. Two calls without it are two actions.',
  );

export function createToolContracts(catalog: Catalog): ToolContracts {
  return new Map(
    [...catalog].map(([name, tool]) => {
      const hasEffects = tool.task !== 'never' && tool.hasEffects === true;
      return [name, { tool, ...createCallContract(tool, hasEffects) }];
    }),
  );
}

/** As `tools/list` of MCP 2025-11-25 shows it. */
export function withTaskSupport({ tool, listed }: ToolContract): ListedTool {
  return { ...listed, execution: { taskSupport: tool.task === 'never' ? 'forbidden' : tool.task } };
}

/** `hasEffects`: the call takes an idempotency key among its arguments. */
export function createCallContract(tool: ToolBase, hasEffects: boolean): CallContract {
  const own = tool.input(z);
  const strict = own.strict();
  const bare = hasEffects ? strict.safeExtend({ idempotencyKey }) : strict;
  // A schema that is made from another one loses what the tool says about the whole.
  const schema = bare.meta(own.meta() ?? {});
  const inputSchema = toJsonSchema(schema, 'input');
  const listed = {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema,
    ...(tool.output === undefined ? {} : { outputSchema: toJsonSchema(tool.output(z), 'output') }),
  };
  return {
    listed,
    paramHeaders: paramHeadersOf(inputSchema),
    parseArguments: (raw) => parseWith(schema, hasEffects, raw),
  };
}

function parseWith(schema: z.ZodObject, hasEffects: boolean, raw: Readonly<Record<string, unknown>>): ParsedArguments {
  const parsed = schema.safeParse(raw);
  if (!parsed.success) return { ok: false, faults: describeIssues(parsed.error.issues, raw) };
  const inexact = firstNonJsonPath(parsed.data, '');
  if (inexact !== undefined) {
    return { ok: false, faults: `${inexact.replace(/^\./, '')} must be a value that JSON carries exactly` };
  }
  if (!hasEffects) return { ok: true, args: parsed.data as JsonObject };
  const { idempotencyKey: key, ...args } = parsed.data as JsonObject & { idempotencyKey?: string };
  return { ok: true, args, ...(key === undefined ? {} : { idempotencyKey: key }) };
}

function toJsonSchema(schema: z.ZodObject, io: 'input' | 'output'): JsonObject & { type: 'object' } {
  return { ...(z.toJSONSchema(schema, { target: 'draft-2020-12', io }) as JsonObject), type: 'object' };
}

/** Spec: streamable-http, `x-mcp-header` on properties that a chain of `properties` reaches. */
function paramHeadersOf(schema: JsonValue, path: readonly string[] = []): readonly ParamHeader[] {
  if (!isObject(schema) || !isObject(schema['properties'])) return [];
  return Object.entries(schema['properties']).flatMap(([name, member]) => {
    const inside = [...path, name];
    const header = isObject(member) ? member['x-mcp-header'] : undefined;
    if (!isObject(member) || typeof header !== 'string') return paramHeadersOf(member, inside);
    const { type } = member;
    return [{ name: `mcp-param-${header.toLowerCase()}`, path: inside, type: typeof type === 'string' ? type : '' }];
  });
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
