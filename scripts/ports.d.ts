export function isPortFree(port: number, host: string): Promise<boolean>;
export function anyFreePort(host: string): Promise<number>;
export function isListening(port: number, host: string): Promise<boolean>;
