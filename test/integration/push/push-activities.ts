import { Context } from '@temporalio/activity';

export type PushActivities = typeof pushActivities;

export const pushActivities = {
  tick(): Promise<void> {
    return Promise.resolve();
  },
  /** A page a second, told by heartbeats alone. */
  async writePages(pages: number): Promise<void> {
    for (let page = 1; page <= pages; page += 1) {
      Context.current().heartbeat({ message: `${String(page)} of ${String(pages)} pages` });
      await Context.current().sleep(1_000);
    }
  },
};
