export const SERVER_INFO = { name: 'durable-mcp-tasks', title: 'Durable MCP Tasks', version: '0.1.0' };
