/** A client of `subscriptions/listen` over HTTP: all that comes on the stream, in order. */
import { SUBSCRIPTIONS_LISTEN, TASKS_NOTIFICATION } from '../../protocol/extension.ts';
import type { DetailedTask } from '../../protocol/task.ts';
import { eventually } from './eventually.ts';
import { bodyOf, headersOf, type McpRequest } from './mcp-request.ts';

export interface ListenFrame {
  readonly jsonrpc: string;
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>> & { readonly _meta: Readonly<Record<string, unknown>> };
  readonly result?: unknown;
}

export interface ListenStream {
  readonly headers: Headers;
  /** Grows as they come. */
  readonly frames: readonly ListenFrame[];
  readonly comments: readonly string[];
  /** `cut`: it broke off, or this client closed it. */
  readonly ended: Promise<'end' | 'cut'>;
  /** What was told of one task, as `tasks/get` would say it, less `resultType`. */
  told(taskId: string): readonly DetailedTask[];
  /** Called with each task as it comes. */
  onTask: (task: DetailedTask, at: number) => void;
  close(): void;
}

/** Waits for the acknowledgement. @throws when the answer is no stream */
export async function listen(
  url: string,
  taskIds: readonly string[],
  more: Partial<McpRequest> = {},
): Promise<ListenStream> {
  const request = { method: SUBSCRIPTIONS_LISTEN, params: { notifications: { taskIds } }, ...more };
  const control = new AbortController();
  const response = await fetch(url, {
    method: 'POST',
    headers: headersOf(request),
    body: bodyOf(request),
    signal: control.signal,
  });
  const { body } = response;
  if (response.headers.get('content-type') !== 'text/event-stream' || body === null) {
    throw new Error(`No stream but ${response.status}: ${await response.text()}`);
  }
  const frames: ListenFrame[] = [];
  const comments: string[] = [];
  const told = new Map<string, DetailedTask[]>();
  const stream: ListenStream = {
    headers: response.headers,
    frames,
    comments,
    ended: readEvents(body, (event) => {
      if (event.startsWith(':')) {
        comments.push(event);
        return;
      }
      const frame = JSON.parse(event.slice(event.indexOf('data: ') + 'data: '.length)) as ListenFrame;
      frames.push(frame);
      if (frame.method !== TASKS_NOTIFICATION) return;
      const { _meta, ...task } = frame.params as unknown as DetailedTask & { _meta: unknown };
      told.set(task.taskId, [...(told.get(task.taskId) ?? []), task]);
      stream.onTask(task, performance.now());
    }),
    told: (taskId) => told.get(taskId) ?? [],
    onTask: () => undefined,
    close: () => control.abort(),
  };
  await eventually(() => frames.length > 0, 20_000);
  return stream;
}

async function readEvents(body: ReadableStream<Uint8Array>, onEvent: (event: string) => void): Promise<'end' | 'cut'> {
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for await (const chunk of body) {
      const text = decoder.decode(chunk, { stream: true });
      // Looking through all of a large event at each of its chunks would take longer than the event.
      const mayEnd = text.includes('\n\n') || (text.startsWith('\n') && rest.endsWith('\n'));
      rest += text;
      if (!mayEnd) continue;
      const events = rest.split('\n\n');
      rest = events.pop() ?? '';
      events.forEach(onEvent);
    }
    return 'end';
  } catch {
    return 'cut';
  }
}
