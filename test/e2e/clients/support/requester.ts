/** The official requester on the client of the SDK, wired as a host has to: it brings neither a transport nor a retry. */
import {
  Client,
  StreamableHTTPClientTransport,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import {
  createTaskSessionFromClient,
  DispatchError,
  type ApplicationInputCallbacks,
  createApplicationInputHandler,
  type JsonRpcResponse,
  type RawClientDispatch,
  type TaskEnabledSession,
} from '@modelcontextprotocol/ext-tasks/client';
import { PROTOCOL_VERSION } from '../../../../protocol/extension.ts';

const CLIENT = { name: 'requester', version: '1.0.0' };
const CAPABILITIES = { elicitation: { form: {} }, sampling: {}, roots: {} };

/** Of whoever does not say otherwise. */
const REFUSALS: ApplicationInputCallbacks = {
  elicitation: () => ({ action: 'decline' }),
  sampling: () => Promise.reject(new Error('No model is here.')),
  roots: () => ({ roots: [] }),
};

export interface Requester {
  readonly client: Client;
  readonly session: TaskEnabledSession;
  close(): Promise<void>;
}

/** `target`: the URL of a server, or a transport to one. */
export async function openRequester(
  target: string | Transport,
  answers: Partial<ApplicationInputCallbacks> = {},
): Promise<Requester> {
  const client = new Client(CLIENT, { capabilities: CAPABILITIES, versionNegotiation: { mode: 'auto' } });
  const transport = typeof target === 'string' ? new StreamableHTTPClientTransport(new URL(target)) : target;
  await client.connect(transport);
  const session = createTaskSessionFromClient(client, {
    endpointId: 'fixtures',
    rawDispatch: dispatchOver(transport),
    v2RequestFraming: { protocolVersion: PROTOCOL_VERSION, clientInfo: CLIENT, clientCapabilities: CAPABILITIES },
    onInputRequest: createApplicationInputHandler({ ...REFUSALS, ...answers }),
  });
  return {
    client,
    session,
    async close() {
      await session.close();
      await client.close();
    },
  };
}

/** Beside the client on its own transport, so that headers and connection are the client's. */
function dispatchOver(transport: Transport): RawClientDispatch {
  const waiting = new Map<string, (response: JsonRpcResponse) => void>();
  const toClient = transport.onmessage?.bind(transport);
  transport.onmessage = (message: JSONRPCMessage) => {
    const resolve = 'id' in message ? waiting.get(String(message.id)) : undefined;
    if (resolve === undefined) toClient?.(message);
    else if ('error' in message) resolve({ kind: 'error', error: message.error as never });
    else if ('result' in message) resolve({ kind: 'result', result: message.result as never });
  };
  let count = 0;
  return async (request, { signal } = {}) => {
    const id = `raw-${String((count += 1))}`;
    const answer = new Promise<JsonRpcResponse>((resolve) => waiting.set(id, resolve));
    const message = { jsonrpc: '2.0', id, ...(request as object) } as JSONRPCMessage;
    try {
      await transport.send(message, signal === undefined ? {} : { requestSignal: signal });
      return await answer;
    } catch (error) {
      throw new DispatchError('The request could not be sent.', true, { cause: error });
    } finally {
      waiting.delete(id);
    }
  };
}
