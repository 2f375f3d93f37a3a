import type { DetailedTask } from '../../protocol/task.ts';
import { TaskFeed, type ReadOne } from './task-feed.ts';
import type { TemporalService } from './temporal-service.ts';

/** The tasks that somebody in this process watches: one feed each, whatever the number of subscribers. */
export class TaskFeeds {
  readonly #service: TemporalService;
  readonly #feeds = new Map<string, TaskFeed>();

  constructor(service: TemporalService) {
    this.#service = service;
  }

  /** See `TaskStore.watch`. `read` must read the task of `workflowId`. */
  async *watch(workflowId: string, read: ReadOne, signal: AbortSignal): AsyncGenerator<DetailedTask, void, void> {
    const feed = this.#feeds.get(workflowId) ?? this.#open(workflowId, read);
    const updates = await feed.join();
    const leave = (): void => feed.leave(updates);
    signal.addEventListener('abort', leave, { once: true });
    try {
      if (!signal.aborted) yield* updates;
    } finally {
      signal.removeEventListener('abort', leave);
      leave();
    }
  }

  #open(workflowId: string, read: ReadOne): TaskFeed {
    const onStop = (): void => {
      if (this.#feeds.get(workflowId) === feed) this.#feeds.delete(workflowId);
    };
    const feed = new TaskFeed({ service: this.#service, read, onStop });
    this.#feeds.set(workflowId, feed);
    return feed;
  }
}
