/** What one of several callers does. `target`: the how-manieth thing that was given out, counted around. */
export type IsolationStep = { readonly actor: number } & (
  | { readonly kind: 'call'; readonly key: number | undefined; readonly variant: number }
  | { readonly kind: 'ask' | 'list' | 'list as older' | 'page' }
  | { readonly kind: IsolationTouch | 'resume' | 'turn'; readonly target: number }
);

/** `older`: in the words of MCP 2025-11-25. */
export type IsolationTouch =
  | 'get'
  | 'update'
  | 'cancel'
  | 'wait'
  | 'result'
  | 'answer'
  | 'stop'
  | 'older get'
  | 'older result'
  | 'read'
  | 'listen';
