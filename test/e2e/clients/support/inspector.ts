/** The programs of the MCP Inspector, installed outside the work tree and run by a Node that they start on. */
import { join } from 'node:path';
import { installedOutside, nodeBinary } from '../../../support/npm-packages.ts';
import type { Program } from './program.ts';

export const INSPECTOR = '@modelcontextprotocol/inspector@2.12.0';
const NODE_VERSION = '24.22.1';
const ENTRIES = {
  inspector: 'clients/launcher/build/index.js',
  mcpdo: 'clients/mcpdo/build/mcp-bin.js',
} as const;

export async function inspectorProgram(name: keyof typeof ENTRIES): Promise<Program> {
  const [modules, node] = await Promise.all([installedOutside([INSPECTOR]), nodeBinary(NODE_VERSION)]);
  return { node, entry: [join(modules, '@modelcontextprotocol', 'inspector', ENTRIES[name])] };
}
