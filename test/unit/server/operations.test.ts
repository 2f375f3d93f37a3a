import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { startTestFront, type TestFront } from '../../support/test-front.ts';
import { verifies } from '../../support/verifies.ts';
import { patiently } from '../../support/patience.js';

let front: TestFront;
beforeEach(async () => {
  front = await startTestFront({ fallbackBudgetMs: 20_000 });
});
afterEach(async () => front.front.drain());

const page = async (path: string): Promise<[number, string]> => {
  const response = await fetch(`${front.origin}${path}`);
  return [response.status, await response.text()];
};

describe('/healthz and /readyz', () => {
  it('are well while Temporal answers and a worker polls', async () => {
    expect([await page('/healthz'), await page('/readyz')]).toEqual([
      [200, 'ok'],
      [200, 'ok'],
    ]);
  });

  it('call a front without a worker degraded but ready', async () => {
    front.health.worker = false;
    expect(await page('/readyz')).toEqual([200, 'degraded: no worker']);
  });

  it('call a front without Temporal alive but not ready', async () => {
    front.health.reachable = false;
    expect(await page('/readyz')).toEqual([503, 'Temporal is unreachable']);
    expect(await page('/healthz')).toEqual([200, 'ok']);
  });

  it('ask Temporal once for many questions', async () => {
    await page('/readyz');
    front.health.reachable = false;
    expect(await page('/readyz')).toEqual([200, 'ok']);
  });
});

describe('/metrics', () => {
  it('counts calls by tool and answer, polls and requests', async () => {
    await front.call('greet', { name: 'Ada' });
    await front.call('greet', { name: 7 });
    await front.call('some invented tool');
    const { body } = await front.call('required_job');
    await front.post({ method: 'tasks/get', params: { taskId: body.result.taskId } });
    await front.post({ method: 'some/invented/method' });
    const [, text] = await page('/metrics');
    for (const line of [
      'mcp_tool_calls_total{tool="greet",answer="plain"} 1',
      'mcp_tool_calls_total{tool="greet",answer="error"} 1',
      'mcp_tool_calls_total{tool="unknown",answer="error"} 1',
      'mcp_tool_calls_total{tool="required_job",answer="task"} 1',
      'mcp_task_polls_total 1',
      'mcp_request_duration_seconds_count{method="tools/call"} 4',
      'mcp_request_duration_seconds_count{method="other"} 1',
      'mcp_task_queue_backlog{kind="workflow"} 3',
    ]) {
      expect(text.split('\n')).toContain(line);
    }
    expect(text).not.toContain('invented');
  });

  it('shows tasks by tool and status, and leaves out what Temporal does not tell', async () => {
    front.health.counts = new Error('down');
    expect((await page('/metrics'))[1]).not.toContain('mcp_tasks{');
    front.health.counts = [{ tool: 'order', status: 'input_required', count: 2 }];
    expect((await page('/metrics'))[1]).toContain('mcp_tasks{tool="order",status="input_required"} 2');
  });
});

describe('a held call whose caller asked for progress', () => {
  it('tells the status message in an event stream, and then the result', async () => {
    verifies('notify.progress');
    const eager = await startTestFront({ fallbackBudgetMs: 20_000, progressIntervalMs: 60 });
    eager.store.onCreated = (taskId) => eager.store.report(taskId, '3 of 10 pages');
    const meta = { progressToken: 'p-1' };
    const answer = eager.call('order', { vendor: 'V' }, { capabilities: {}, meta });
    const [taskId = ''] = await eventually(() => eager.store.entries.size === 1 && [...eager.store.entries.keys()]);
    // Longer than the interval between two progress messages.
    setTimeout(() => eager.store.finishWithText(taskId, 'ordered'), 400);
    const { headers, text, body } = await answer;
    expect(headers.get('content-type')).toBe('text/event-stream');
    expect(text).toContain('"params":{"progressToken":"p-1","progress":1,"message":"3 of 10 pages"}');
    expect(body.result.content[0].text).toBe('ordered');
    await eager.front.drain();
  });
});

describe('a server that stops', () => {
  it('ends held and settling calls with their handle, refuses readiness and lets no task die', async () => {
    const held = front.call('order', { vendor: 'V' }, { capabilities: {} });
    await eventually(() => front.store.entries.size === 1);
    const startedAt = performance.now();
    await front.front.drain();
    const { body } = await held;
    expect(body.result.content[0].text).toContain([...front.store.entries.keys()][0]);
    expect([...front.store.entries.values()][0]?.cancelReason).toBeUndefined();
    expect(performance.now() - startedAt).toBeLessThan(patiently(3_000));
    await expect(front.call('greet', { name: 'x' })).rejects.toThrow('fetch failed');
  });

  it('stops within its budget though a request is never finished', async () => {
    const control = new AbortController();
    const stuck = fetch(front.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from('{')) }),
      signal: control.signal,
      duplex: 'half',
    }).catch(() => 'ended');
    await eventually(async () => (await page('/healthz'))[0] === 200);
    const startedAt = performance.now();
    await front.front.drain();
    expect(performance.now() - startedAt).toBeLessThan(patiently(6_500));
    expect(await stuck).toBe('ended');
    control.abort();
  });
});
