import { CLIENT_CAPABILITIES_META_KEY, type Server, type ServerContext } from '@modelcontextprotocol/server';
import { TASKS_EXTENSION } from '../protocol/extension.ts';
import { isJsonObject as isObject, ownMember as own } from '../protocol/own-member.ts';
import type { ClientFeatures } from '../protocol/input-feature.ts';
import type { Declared } from './caller.ts';

/** A request of an older revision has no envelope. */
export function readDeclared(context: ServerContext): Declared {
  return declaredIn(context.mcpReq.envelope);
}

/**
 * What a request's envelope declares, which travels in its `_meta`. Only own members count, and a value that is not an
 * object declares nothing.
 */
export function declaredIn(envelope: unknown): Declared {
  const capabilities = own(envelope, CLIENT_CAPABILITIES_META_KEY);
  const tasks = isObject(own(own(capabilities, 'extensions'), TASKS_EXTENSION));
  return { tasks, ...featuresIn(capabilities) };
}

/** What the client of an older connection declared when it opened it. */
/* oxlint-disable typescript/no-deprecated -- an older revision declares once, and only `Server` keeps it */
export function declaredAtStart(server: Server): Declared {
  // The older tasks are asked for call by call, and the extension is no part of that revision.
  return { ...featuresIn(server.getClientCapabilities()), tasks: false };
}
/* oxlint-enable typescript/no-deprecated */

/** Only own members of `capabilities` count. */
export function featuresIn(capabilities: unknown): ClientFeatures {
  return {
    elicitationForm: hasForm(own(capabilities, 'elicitation')),
    elicitationUrl: isObject(own(own(capabilities, 'elicitation'), 'url')),
    sampling: isObject(own(capabilities, 'sampling')),
    roots: isObject(own(capabilities, 'roots')),
  };
}

/** Spec: elicitation, an empty object means form mode. */
function hasForm(elicitation: unknown): boolean {
  if (!isObject(elicitation)) return false;
  return Object.keys(elicitation).length === 0 || isObject(own(elicitation, 'form'));
}
