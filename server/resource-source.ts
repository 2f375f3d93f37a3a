/** Resources that are the same for every caller and stand beside the files of the caller's tasks. */
export interface ResourceSource {
  readonly listed: readonly {
    readonly uri: string;
    readonly name: string;
    readonly mimeType: string;
    readonly size?: number;
  }[];
  /** `uriTemplate` as in RFC 6570. */
  readonly templates: readonly { readonly uriTemplate: string; readonly name: string; readonly mimeType: string }[];
  /** `undefined`: not one of these. */
  read(uri: string): ResourceContents | undefined;
}

export type ResourceContents = { readonly uri: string; readonly mimeType: string } & (
  | { readonly text: string }
  /** Base64. */
  | { readonly blob: string }
);

export const NO_RESOURCES: ResourceSource = { listed: [], templates: [], read: () => undefined };
