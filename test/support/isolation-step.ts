/** What one of several callers does. `target`: the how-manieth thing that was given out, counted around. */
export type IsolationStep = { readonly actor: number } & (
  | { readonly kind: 'call'; readonly key: number | undefined; readonly variant: number }
  | { readonly kind: 'ask' | 'list' }
  | { readonly kind: IsolationTouch | 'resume'; readonly target: number }
);

export type IsolationTouch = 'get' | 'update' | 'cancel' | 'wait' | 'read' | 'listen';
