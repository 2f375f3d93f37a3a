/**
 * The specification's words for a task, as they stand on the wire.
 * Spec: ext-tasks tasks.md, Task, DetailedTask and InputRequests.
 */

export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

/** JSON that survives a round trip unchanged. */
export type JsonValue =
  null | boolean | number | string | readonly JsonValue[] | { readonly [member: string]: JsonValue };
export type JsonObject = Readonly<Record<string, JsonValue>>;

/** One request to the task's caller, embedded by value. */
export interface InputRequest {
  readonly method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list';
  readonly params: JsonObject;
}

/** Every outstanding request, by a key that is used once in the life of the task. */
export type InputRequests = Readonly<Record<string, InputRequest>>;

export type ContentBlock =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'resource_link';
      readonly uri: string;
      readonly name: string;
      readonly title?: string;
      readonly mimeType?: string;
      readonly size?: number;
    };

/** What `tools/call` answers; also the `result` of a completed task. */
export interface ToolResult {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: JsonObject;
  readonly isError?: boolean;
}

/** A JSON-RPC error: the `error` of a failed task. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: JsonValue;
}

interface TaskBase {
  readonly taskId: string;
  readonly statusMessage?: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  /** From creation until the server may forget the task. */
  readonly ttlMs: number;
  readonly pollIntervalMs: number;
}

/** What `tasks/get` says, less `resultType`. */
export type DetailedTask =
  | (TaskBase & { readonly status: 'working' | 'cancelled' })
  | (TaskBase & { readonly status: 'input_required'; readonly inputRequests: InputRequests })
  | (TaskBase & { readonly status: 'completed'; readonly result: ToolResult & { readonly resultType: 'complete' } })
  | (TaskBase & { readonly status: 'failed'; readonly error: RpcError });

export function isTerminal(status: TaskStatus): status is 'completed' | 'failed' | 'cancelled' {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}
