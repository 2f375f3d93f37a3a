/** A well-behaved client beside the bad ones: its task is there, unchanged, whenever it asks. */
import { setTimeout as delay } from 'node:timers/promises';
import { createMcpDoor, type McpDoor } from '../bench/mcp-door.ts';
import { bearer, type McpRequest } from '../support/mcp-request.ts';

export interface CalmClient {
  readonly taskId: string;
  /** Asks again and again until then. */
  stop(): Promise<{ readonly readCount: number; readonly faults: readonly string[] }>;
}

const ASK_EVERY_MS = 50;
/** Of a purchase order without a cost centre, which waits for one. */
const CALL = {
  name: 'purchase_order',
  arguments: {
    vendor: 'Nordlicht',
    currency: 'EUR',
    lines: [{ description: 'Lamp', quantity: '1', unitPrice: '9.90' }],
  },
};

export async function startCalmClient(origin: string, token: string): Promise<CalmClient> {
  const door = createMcpDoor(origin, 2);
  const headers = bearer(token);
  const { taskId } = await door.send({ method: 'tools/call', params: CALL, headers });
  const faults: string[] = [];
  let [readCount, isStopped] = [0, false];

  async function ask(): Promise<void> {
    while (!isStopped) {
      const fault = await read(door, { taskId }, headers);
      readCount += 1;
      if (fault !== undefined) faults.push(fault);
      await delay(ASK_EVERY_MS);
    }
  }

  const asking = ask();
  return {
    taskId: String(taskId),
    async stop() {
      isStopped = true;
      await asking;
      door.close();
      return { readCount, faults };
    },
  };
}

async function read(
  door: McpDoor,
  params: McpRequest['params'],
  headers: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  try {
    const { status } = await door.send({ method: 'tasks/get', params, headers });
    return status === 'input_required' || status === 'working' ? undefined : `the task is ${String(status)}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
