import { describe, expect, it } from '@jest/globals';
import * as extension from '../../../protocol/extension.ts';
import * as legacyTasks from '../../../protocol/legacy-tasks.ts';
import { SERVED_METHODS } from '../../../protocol/methods.ts';
import { createMetrics } from '../../../server/metrics.ts';
import { read, sourceFiles } from '../../architecture/tree.ts';
import { createTestServing } from '../../support/test-front.ts';

/** What the SDK answers by itself, and what is no request. */
const OF_THE_SDK = ['server/discover', 'initialize', 'ping', extension.SUBSCRIPTIONS_LISTEN];

/** The methods that the server registers a handler for, as literals or by the names of protocol/. */
function registeredMethods(): readonly string[] {
  const words: Readonly<Record<string, unknown>> = { ...extension, ...legacyTasks };
  return sourceFiles
    .filter((file) => file.startsWith('server/'))
    .flatMap((file) => [...read(file).matchAll(/\.setRequestHandler\(\s*(?:'([^']+)'|([A-Z_]+))/g)])
    .map(([, literal, name = '']) => literal ?? String(words[name]));
}

describe('the duration of requests', () => {
  it('is told by method for each one that the server serves, and by nothing a client invents', async () => {
    const metrics = createMetrics([], createTestServing().health);
    for (const method of [...SERVED_METHODS, 'tasks/invented', '__proto__', 7]) metrics.observeRequest(method, 1);
    const { text } = await metrics.expose();
    const counted = [...text.matchAll(/^mcp_request_duration_seconds_count\{method="([^"]+)"\} (\d+)$/gm)];
    expect(Object.fromEntries(counted.map(([, method, count]) => [method, Number(count)]))).toEqual({
      ...Object.fromEntries(SERVED_METHODS.map((method) => [method, 1])),
      other: 3,
    });
  });
});

describe('SERVED_METHODS', () => {
  it('are those that have a handler, and those of the SDK', () => {
    const requests = SERVED_METHODS.filter((method) => !method.startsWith('notifications/'));
    expect([...new Set([...registeredMethods(), ...OF_THE_SDK])].sort()).toEqual(requests.toSorted());
  });
});
