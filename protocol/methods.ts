import { SUBSCRIPTIONS_LISTEN, TASKS_CANCEL, TASKS_GET, TASKS_UPDATE } from './extension.ts';
import { TASKS_LIST, TASKS_RESULT } from './legacy-tasks.ts';

/** What a client may send to this server, in all the revisions that it serves. */
export const SERVED_METHODS: readonly string[] = [
  'server/discover',
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  TASKS_GET,
  TASKS_UPDATE,
  TASKS_CANCEL,
  TASKS_RESULT,
  TASKS_LIST,
  SUBSCRIPTIONS_LISTEN,
  'notifications/initialized',
  'notifications/cancelled',
];
