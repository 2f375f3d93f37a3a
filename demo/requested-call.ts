/** What a file asks for: a purchase request, whose text is handed over as it is, or a call that names its tool. */

export interface RequestedCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

export const ORDER_TOOL = 'purchase_order';
export const RECONCILE_TOOL = 'reconcile_invoices';
/** The tools that the demo calls. */
export const DEMO_TOOLS = [ORDER_TOOL, RECONCILE_TOOL, 'hire_candidate'] as const;

const DAY_MS = 86_400_000;

/** `within`: how many seconds those who approve have. `now`: epoch ms. */
export function requestedCall(
  file: string,
  text: string,
  { within, now }: { readonly within?: string | undefined; readonly now: number },
): RequestedCall {
  const hurry = within === undefined ? {} : { decideWithinSeconds: Number(within) };
  if (file.endsWith('.csv')) return { tool: ORDER_TOOL, args: { document: { format: 'csv', text }, ...hurry } };
  const call = namedCall(text, now);
  if (call === undefined) return { tool: ORDER_TOOL, args: { document: { format: 'json', text }, ...hurry } };
  return { tool: call.tool, args: { ...call.arguments, ...hurry } };
}

interface NamedCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** `"+60 days"` stands for a day: one that is written in a file would pass. */
function namedCall(text: string, now: number): NamedCall | undefined {
  const dated = text.replaceAll(/"\+(\d{1,3}) days"/g, (_, days: string) => {
    return JSON.stringify(new Date(now + Number(days) * DAY_MS).toISOString().slice(0, 10));
  });
  try {
    const call = JSON.parse(dated) as Partial<NamedCall> | null;
    return typeof call?.tool === 'string' && typeof call.arguments === 'object' ? (call as NamedCall) : undefined;
  } catch {
    // The server says better what is wrong with it.
    return undefined;
  }
}
