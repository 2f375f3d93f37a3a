import type { SerializedTaskReference } from '@modelcontextprotocol/ext-tasks/client';

/** What the requester's program is told to do. `answers` are the contents of accepted forms, the last one for all others. */
export type RequesterStep =
  | {
      readonly do: 'call' | 'start' | 'cancel';
      readonly tool: string;
      readonly args: Readonly<Record<string, string | number>>;
      readonly answers?: readonly FormContent[];
    }
  | { readonly do: 'resume'; readonly reference: SerializedTaskReference; readonly answers?: readonly FormContent[] };

export type FormContent = Readonly<Record<string, string | boolean | number | readonly string[]>>;

/** What came of a step. */
export interface RequesterOutcome {
  readonly kind?: 'immediate' | 'task';
  readonly status?: string;
  readonly text?: string;
  /** Of the parts of the result, where they are not one text. */
  readonly types?: readonly string[];
  readonly isError?: boolean;
  readonly code?: number;
  readonly reference?: SerializedTaskReference;
  /** How many forms were answered. */
  readonly asked: number;
}
