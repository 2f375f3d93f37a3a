import type { HttpBindings } from '@hono/node-server';
import type { Subject } from '../principal.ts';
import type { Visitor } from './visitor.ts';

/** How the front that serves a request stands. */
export interface Lifetime {
  /** It stops. */
  readonly draining: AbortSignal;
  /** Tells it that the answer goes on until one of both ends it: nothing waits for it. */
  readonly becomesStream: () => void;
}

/** What Hono carries through one request. */
export interface InboxEnv {
  Bindings: HttpBindings & { readonly lifetime: Lifetime };
  Variables: {
    readonly visitor: Visitor;
    /** As their sign-in named them. */
    readonly subject: Subject;
    readonly csrf: string;
    /** Of a POST. */
    readonly form: ReadonlyMap<string, string>;
  };
}
