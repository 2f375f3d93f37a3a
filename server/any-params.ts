import type { StandardSchemaV1 } from '@modelcontextprotocol/server';

type Params = Record<string, unknown>;

/** The SDK has made sure that the value is an object; a schema library would only copy it. */
const params: StandardSchemaV1<Params, Params> = {
  '~standard': {
    version: 1,
    vendor: 'durable-mcp-tasks',
    validate: (value) => ({ value: value as Params }),
  },
};

/** For handlers that look at their parameters themselves, after their own gates. */
export const anyParams = { params };
