import type { OutsideAct } from '../../protocol/act.ts';

/** Where a front tells what a task cannot know of itself: who has looked at it, who has read its result. */
export interface AuditTrail {
  /**
   * Written once for each `about` of a task and type: with an id of its own an act is written each time, with that of what was
   * looked at and of who looked, the first time. @throws StoreDown
   */
  append(act: OutsideAct): Promise<void>;
}
