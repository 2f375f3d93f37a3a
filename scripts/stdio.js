#!/usr/bin/env node
/**
 * `durable-mcp-tasks`: the MCP server over stdin and stdout, for a host that starts it. It may be started anywhere: its data
 * is where `npm start` has it. In a built image there is JavaScript only.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PROJECT_ROOT, setting } from './settings.js';
import { exitWith, SetupError } from './setup-error.js';

const SOURCE = join(PROJECT_ROOT, 'server/stdio-main.ts');
const BUILT = join(PROJECT_ROOT, 'dist/server/stdio-main.js');

try {
  process.env.DATA_DIR = setting(process.env, 'DATA_DIR') ?? join(PROJECT_ROOT, '.data');
  if (existsSync(SOURCE)) {
    const { register } = await import('tsx/esm/api').catch(() => {
      throw new SetupError(`The packages are not installed. Run: npm install --prefix ${PROJECT_ROOT}`);
    });
    register();
  }
  await import(pathToFileURL(existsSync(SOURCE) ? SOURCE : BUILT).href);
} catch (error) {
  exitWith(error);
}
