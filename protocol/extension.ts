/** Names and values that the Tasks extension (SEP-2663) fixes on the wire. */

/** The ext-tasks commit that this server is written against. */
export const SPEC_COMMIT = 'e434597';

export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';
export const PROTOCOL_VERSION = '2026-07-28';

export const TASKS_GET = 'tasks/get';
export const TASKS_UPDATE = 'tasks/update';
export const TASKS_CANCEL = 'tasks/cancel';
export const SUBSCRIPTIONS_LISTEN = 'subscriptions/listen';
export const LISTEN_ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';
export const TASKS_NOTIFICATION = 'notifications/tasks';

/** Our reverse-domain prefix for `_meta` keys of our own. */
export const META_PREFIX = 'io.github.durable-mcp-tasks';
/** `_meta` key under which a client names a call, so that a repeated call finds the first task. */
export const IDEMPOTENCY_KEY_META = `${META_PREFIX}/idempotencyKey`;

export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;
export const MISSING_CAPABILITY = -32021;
/** Ours, outside the reserved range: one idempotency key, two different sets of arguments. */
export const IDEMPOTENCY_CONFLICT = -31001;
/** Ours as well: the server holds as many subscriptions as it takes, in all or of this caller. */
export const TOO_MANY_SUBSCRIPTIONS = -31002;
/** Ours: limits of a caller, and one of a task. */
export const TOO_MANY_CALLS = -31003;
export const TOO_MANY_POLLS = -31004;
export const TOO_MANY_OPEN_TASKS = -31005;
export const TOO_MANY_ANSWERS = -31006;
/** Ours: a caller keeps as many uploaded files as it may. */
export const TOO_MANY_FILES = -31007;

/** 128 bits in base64url without padding; anything else is not a task id. */
export const TASK_ID_PATTERN = /^[A-Za-z0-9_-]{22}$/;
