export function tryLock(file: string): { release(): void } | { readonly holder: number };
export function isAlive(pid: number): boolean;
