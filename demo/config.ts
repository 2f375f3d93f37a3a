/** The environment of the demo client, read once. */
import { z } from 'zod';
import { ConfigError } from '../protocol/config-error.ts';
import { presentVariables } from '../protocol/present-variables.ts';

const environment = z.object({
  MCP_URL: z.url().default('http://127.0.0.1:3000/mcp'),
  MCP_API_KEY: z.string().optional(),
  ERP_URL: z.url().default('http://127.0.0.1:3900'),
  TEMPORAL_UI_URL: z.url().default('http://127.0.0.1:8233'),
  TEMPORAL_NAMESPACE: z.string().default('default'),
});

export interface DemoConfig {
  /** The MCP endpoint to call. */
  readonly mcpUrl: string;
  /** Absent where nobody signs in. */
  readonly apiKey: string | undefined;
  /** Where the demo's ERP is, for who seeds it. */
  readonly erpUrl: string;
  /** Where the Temporal UI is, for the links that are printed. */
  readonly uiUrl: string;
  readonly namespace: string;
}

/** @throws ConfigError that lists every problem */
export function readConfig(env: NodeJS.ProcessEnv = process.env): DemoConfig {
  const parsed = environment.safeParse(presentVariables(env));
  if (!parsed.success) throw new ConfigError(parsed.error.issues);
  const { MCP_URL: mcpUrl, MCP_API_KEY: apiKey, ERP_URL: erpUrl } = parsed.data;
  const { TEMPORAL_UI_URL: uiUrl, TEMPORAL_NAMESPACE: namespace } = parsed.data;
  return { mcpUrl, apiKey, erpUrl, uiUrl, namespace };
}
