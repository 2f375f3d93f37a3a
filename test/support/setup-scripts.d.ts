/** The set-up scripts are plain JavaScript; this is what tests use of them. */
declare module '*/scripts/temporal.js' {
  export function findTemporal(): Promise<{ readonly address: string } | { readonly path: string }>;
}
declare module '*/scripts/settings.js' {
  /** Outside the work tree. */
  export function cacheDir(): string;
}
declare module '*/scripts/chromium.js' {
  /** Its path; `CHROMIUM_PATH` names another one. */
  export function findChromium(): string | undefined;
}
