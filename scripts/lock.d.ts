export function tryLock(file: string): { release(): void } | { readonly holder: number };
export function isAlive(pid: number): boolean;

/** Waits for its turn, then works. `onWait` is told once who is being waited for. */
export function withLock<T>(file: string, onWait: (holder: number) => void, work: () => Promise<T>): Promise<T>;
