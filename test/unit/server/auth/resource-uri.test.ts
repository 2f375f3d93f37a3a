import { describe, expect, it } from '@jest/globals';
import { isSameResource } from '../../../../server/auth/resource-uri.ts';

describe('isSameResource', () => {
  it.each([
    ['https://host/mcp', 'https://host/mcp'],
    ['https://host/mcp', 'https://host/mcp/'],
    ['https://host', 'https://host/'],
    ['https://host/mcp', 'HTTPS://Host:443/mcp'],
    ['api://durable', 'api://durable'],
    ['durable mcp', 'durable mcp'],
  ])('takes %s and %s for one', (one, other) => {
    expect(isSameResource(one, other)).toBe(true);
    expect(isSameResource(other, one)).toBe(true);
  });

  it.each([
    ['https://host/mcp', 'https://host/mcp//'],
    ['https://host/mcp', 'https://host/MCP'],
    ['https://host/mcp', 'http://host/mcp'],
    ['https://host/mcp', 'https://host:8443/mcp'],
    ['https://host/mcp', 'https://host/mcp?x=1'],
    ['https://host/mcp', 'https://host/mcp#x'],
    ['https://host/mcp', 'https://host'],
    ['https://host/mcp', 'https://host.evil.test/mcp'],
    ['https://host/mcp', 'https://user@host/mcp'],
    ['durable', 'DURABLE'],
    ['https://host/mcp', ''],
  ])('tells %s from %s', (one, other) => {
    expect(isSameResource(one, other)).toBe(false);
    expect(isSameResource(other, one)).toBe(false);
  });
});
