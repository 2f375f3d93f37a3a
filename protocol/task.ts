/**
 * The specification's words for a task, as they stand on the wire.
 * Spec: ext-tasks tasks.md, Task, DetailedTask and InputRequests.
 */

export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

/** JSON that survives a round trip unchanged. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [member: string]: JsonValue };
export type JsonObject = Readonly<Record<string, JsonValue>>;

/** Puts a form to the caller, or sends a person to a page. */
export interface ElicitRequest<Content = unknown> {
  readonly method: 'elicitation/create';
  readonly params: JsonObject;
  /** Carries the type of an accepted answer only. */
  readonly content?: Content;
}
export interface SamplingRequest {
  readonly method: 'sampling/createMessage';
  readonly params: JsonObject;
}
export interface RootsRequest {
  readonly method: 'roots/list';
  readonly params: JsonObject;
}

/** One request to the task's caller, embedded by value. */
export type InputRequest = ElicitRequest | SamplingRequest | RootsRequest;

/** Every outstanding request, by a key that is used once in the life of the task. */
export type InputRequests = Readonly<Record<string, InputRequest>>;

export type ContentBlock =
  | { readonly type: 'text'; readonly text: string }
  /** `data` is base64. */
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
  /** Embedded by value; `blob` is base64. */
  | {
      readonly type: 'resource';
      readonly resource: { readonly uri: string; readonly mimeType: string } & (
        | { readonly text: string }
        | { readonly blob: string }
      );
    }
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
