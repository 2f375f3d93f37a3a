/** What is wrong with an answer to a bad request; nothing is, when it says clearly what it refuses and shows nothing inside. */
import { INTERNAL_ERROR } from '../../protocol/extension.ts';
import type { RawAnswer } from './raw-exchange.ts';

export interface Asked {
  /** Something has to come back. */
  readonly isWhole: boolean;
  /** Texts that stand only in what belongs to somebody else. */
  readonly foreign: readonly string[];
  /** Which everybody knows, and answers may name. */
  readonly publicAddresses: readonly string[];
}

/** Of stacks, paths, addresses, and the words of what stands behind the server. */
const INTERNAL =
  /\bat (?:async )?[\w.<>]+ \(|node:internal|node_modules|\/server\/|\.ts:\d+|\bECONN[A-Z]+\b|\bEPIPE\b|\bENOENT\b|TypeError|SyntaxError|ZodError|ServiceError|\bgrpc|workflowId|127\.0\.0\.1:\d|postgres/i;

export function faultOf({ status, text, isTimeout }: RawAnswer, asked: Asked): string | undefined {
  if (text === '' && asked.isWhole) return isTimeout ? 'silence' : 'closed without a word';
  // A request that is not whole gets its answer when its time is up; a stream that is open has begun.
  if (isTimeout && status === undefined) return text === '' ? undefined : 'half an answer';
  if (status === undefined) return text === '' ? undefined : 'an answer without a status';
  if (asked.foreign.some((one) => text.includes(one))) return 'hands out what is somebody else’s';
  const leak = INTERNAL.exec(asked.publicAddresses.reduce((so, address) => so.replaceAll(address, ''), text));
  if (leak !== null) return `shows ${JSON.stringify(leak[0])}`;
  if (isTimeout) return undefined;
  const body = text.slice(text.indexOf('\r\n\r\n') + 4);
  // The server says that of itself: no request, however bad, may bring it about.
  if (codeOf(body) === INTERNAL_ERROR) return 'an internal error';
  return status >= 500 && codeOf(body) === undefined ? `HTTP ${String(status)} without a clear body` : undefined;
}

/** Of the JSON-RPC error in a body or in the event that it is sent as. */
function codeOf(body: string): number | undefined {
  try {
    const { error } = JSON.parse(/^data: (.*)$/m.exec(body)?.[1] ?? body) as {
      error?: { code?: number; message?: string };
    };
    return typeof error?.message === 'string' ? error.code : undefined;
  } catch {
    return undefined;
  }
}
