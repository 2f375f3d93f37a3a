import { CLIENT_CAPABILITIES_META_KEY, type ServerContext } from '@modelcontextprotocol/server';
import { TASKS_EXTENSION } from '../protocol/extension.ts';
import type { Declared } from './caller.ts';

/**
 * What this request's envelope declares. Only own members count, and a value that is not an object declares nothing.
 * A request of an older revision has no envelope.
 */
export function readDeclared(context: ServerContext): Declared {
  const capabilities = own(context.mcpReq.envelope, CLIENT_CAPABILITIES_META_KEY);
  return {
    tasks: isObject(own(own(capabilities, 'extensions'), TASKS_EXTENSION)),
    elicitationForm: hasForm(own(capabilities, 'elicitation')),
  };
}

/** Spec: elicitation, an empty object means form mode. */
function hasForm(elicitation: unknown): boolean {
  if (!isObject(elicitation)) return false;
  return Object.keys(elicitation).length === 0 || isObject(own(elicitation, 'form'));
}

function own(parent: unknown, name: string): unknown {
  return isObject(parent) && Object.hasOwn(parent, name) ? parent[name] : undefined;
}
function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
