/** The set-up scripts are plain JavaScript; this is what tests use of them. */
declare module '*/scripts/temporal.js' {
  export function findTemporal(options?: {
    env: Readonly<Record<string, string>>;
    say: (line: string) => void;
  }): Promise<Found>;
  type Found =
    | { readonly address: string }
    | { readonly path: string; readonly version: string; readonly source: string };
  export function locateTemporal(options: {
    env: Readonly<Record<string, string>>;
    say: (line: string) => void;
  }): Promise<Found | undefined>;
  export function cachedBinary(env: Readonly<Record<string, string>>): string;
}
declare module '*/scripts/settings.js' {
  /** Outside the work tree. */
  export function cacheDir(): string;
  export function readSettings(env: Readonly<Record<string, string>>): object;
}
declare module '*/scripts/chromium.js' {
  /** Its path; `CHROMIUM_PATH` names another one. */
  export function findChromium(): string | undefined;
}
declare module '*/scripts/namespace.js' {
  /** By name; `type` as the command line of Temporal writes it. */
  export const SEARCH_ATTRIBUTES: Readonly<Record<string, { readonly type: string; readonly code: number }>>;
}
declare module '*/scripts/server-settings.js' {
  export const SERVER_SETTINGS: Readonly<Record<string, string | boolean>>;
  export function serverArguments(): string[];
}
declare module '*/scripts/find-on-path.js' {
  export function findOnPath(command: string): string | undefined;
}
declare module '*/scripts/run-command.js' {
  export function runCommand(
    command: string,
    args: readonly string[],
    options?: { readonly timeoutMs?: number; readonly env?: NodeJS.ProcessEnv; readonly cwd?: string },
  ): Promise<{ readonly ok: boolean; readonly output: string }>;
}
declare module '*/scripts/welcome.js' {
  export function welcome(settings: object, ownsTemporal: boolean): string;
}
declare module '*/patience.js' {
  /** From what something may take on a machine that has nothing else to do to how long tests wait for it; milliseconds both. */
  export function patiently(ms: number): number;
}

declare module '*/scripts/dependencies.js' {
  export function dependencyProblem(root: string): string | undefined;
  export function installDependencies(
    say: (line: string) => void,
    env: Readonly<Record<string, string>>,
    root: string,
  ): Promise<void>;
}
