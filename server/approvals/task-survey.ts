/** What there is of tasks as a whole, for whoever puts right what the store has missed. It may lag behind by seconds. */
export interface TaskSurvey {
  /** Workflow ids of the running tasks that wait for other people. @throws StoreUnavailable */
  waiting(): AsyncIterable<string>;
  /** Runs that were ended from outside since then, and had no chance to say so. @throws StoreUnavailable */
  endedFromOutside(since: Date): AsyncIterable<EndedRun>;
}

export interface EndedRun {
  readonly workflowId: string;
  readonly runId: string;
  readonly taskId: string;
  /** `reset`: the task goes on in another run. */
  readonly how: 'terminated' | 'timed_out' | 'reset';
  readonly at: Date;
  /** Who, as Temporal knows them, and why, in their words. */
  readonly by?: string;
  readonly reason?: string;
}
