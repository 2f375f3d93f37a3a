import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SERVER_INFO } from '../../../server/server-info.ts';
import { eventually } from '../../support/eventually.ts';
import type { McpAnswer } from '../../support/mcp-request.ts';
import { atScopeEnd } from '../../support/scope.ts';
import { startTestFront, type TestFront } from '../../support/test-front.ts';
import { verifies } from '../../support/verifies.ts';
import { createCatalog, defineTool, toolResult } from '../../../workflows/tool.ts';

let front: TestFront;
beforeAll(async () => {
  front = await startTestFront();
});
afterAll(async () => front.front.drain());
beforeEach(() => {
  front.store.entries.clear();
  front.store.onCreated = () => undefined;
});

const patientTool = defineTool({
  name: 'patient_job',
  title: 'Patient job',
  description: 'Has all the time of the server.',
  task: 'optional',
  input: (z) => z.object({}),
  run: async () => toolResult('done'),
});

const UNDECLARED = { capabilities: {} };
const NOTHING = { elicitationForm: false, elicitationUrl: false, sampling: false, roots: false };
const firstText = ({ body }: McpAnswer): string => body.result.content[0].text;
const onlyEntry = (): ReturnType<typeof front.store.entries.get> => [...front.store.entries.values()][0];

describe('a tool that answers at once', () => {
  it('runs here, whatever the caller declares', async () => {
    verifies('create.result-type-only', 'env.result-type');
    for (const more of [UNDECLARED, {}]) {
      const answer = await front.call('greet', { name: 'Ada' }, more);
      expect([answer.body.result.resultType, firstText(answer)]).toEqual(['complete', 'Hello, Ada!']);
      expect(answer.body.result._meta).toEqual({ 'io.modelcontextprotocol/serverInfo': SERVER_INFO });
    }
  });

  it('says its own no as a tool error, and of the unforeseen nothing', async () => {
    verifies('tools.validate');
    const no = await front.call('greet', { name: 'nobody' });
    expect([no.body.result.isError, firstText(no)]).toEqual([true, 'nobody cannot be greeted']);
    const crash = await front.call('greet', { name: 'crash' });
    expect([crash.status, crash.body.error?.code]).toEqual([200, -32603]);
    expect(crash.text).not.toMatch(/postgres|stack|at /);
  });
});

describe('a declared call', () => {
  it('answers a task when the budget is over, flat and without content', async () => {
    verifies('create.result-type');
    const { body } = await front.call('order', { vendor: 'V' });
    const { _meta, ...task } = body.result;
    expect(task).toEqual({
      resultType: 'task',
      taskId: expect.stringMatching(/^[A-Za-z0-9_-]{22}$/),
      status: 'working',
      createdAt: expect.any(String),
      lastUpdatedAt: expect.any(String),
      ttlMs: 86_400_000,
      pollIntervalMs: 1_000,
    });
  });

  it('answers the plain result when the task ends within the budget', async () => {
    front.store.onCreated = (taskId) => setTimeout(() => front.store.finishWithText(taskId, 'ordered'), 30);
    const answer = await front.call('order', { vendor: 'V' });
    expect([answer.body.result.resultType, firstText(answer)]).toEqual(['complete', 'ordered']);
  });

  it('answers the task as soon as a question is open, however much of the budget is left', async () => {
    const patient = await startTestFront({ syncBudgetMs: 600_000 }, createCatalog([patientTool]));
    atScopeEnd(() => patient.front.drain());
    const question = { q: { method: 'elicitation/create', params: { message: 'Why?' } } } as const;
    patient.store.onCreated = (taskId) => setTimeout(() => patient.store.ask(taskId, question), 20);
    const { body } = await patient.call('patient_job', {});
    expect([body.result.resultType, body.result.status]).toEqual(['task', 'input_required']);
    expect(body.result).not.toHaveProperty('inputRequests');
  });

  it('answers a failed task with its error and a cancelled one as a tool error', async () => {
    verifies('get.same-answer');
    front.store.onCreated = (taskId) =>
      front.store.finish(taskId, { status: 'failed', error: { code: -32000, message: 'broken', data: { at: 1 } } });
    expect((await front.call('order', { vendor: 'V' })).body.error).toEqual({
      code: -32000,
      message: 'broken',
      data: { at: 1 },
    });
    front.store.onCreated = (taskId) => front.store.finish(taskId, { status: 'cancelled' });
    expect((await front.call('order', { vendor: 'W' })).body.result.isError).toBe(true);
  });

  it('hands defaults on and keeps the idempotency key out of the arguments', async () => {
    await front.call('order', { vendor: 'V', idempotencyKey: 'k-0' });
    expect(onlyEntry()?.call).toMatchObject({ args: { vendor: 'V', unit: 'piece' }, idempotencyKey: 'k-0' });
    expect(onlyEntry()?.call.args).not.toHaveProperty('idempotencyKey');
  });

  it('whose handle nobody got is cancelled when the connection closes, unless a key finds the task again', async () => {
    for (const [args, reason] of [
      [{ vendor: 'V' }, 'the caller gave the call up'],
      [{ vendor: 'V', idempotencyKey: 'k-8' }, undefined],
    ] as const) {
      front.store.entries.clear();
      const control = new AbortController();
      front.store.onCreated = () => control.abort();
      await expect(front.call('order', args, { signal: control.signal })).rejects.toThrow('abort');
      await eventually(() => onlyEntry()?.cancelReason === reason);
    }
  });
});

describe('a held call', () => {
  it('answers the plain result of the same workflow, which may not ask', async () => {
    verifies('create.undeclared');
    front.store.onCreated = (taskId) => setTimeout(() => front.store.finishWithText(taskId, 'ordered'), 250);
    expect(firstText(await front.call('order', { vendor: 'V' }, UNDECLARED))).toBe('ordered');
    expect(onlyEntry()?.call.features).toEqual(NOTHING);
  });

  it('names the task when the budget is over, and is no error', async () => {
    const { body } = await front.call('order', { vendor: 'V' }, UNDECLARED);
    const [taskId] = [...front.store.entries.keys()];
    expect(body.result.isError).toBeUndefined();
    expect(body.result.content[0].text).toContain(`Task ${String(taskId)} is not finished yet`);
    expect(body.result.structuredContent.task).toMatchObject({ id: taskId, status: 'working' });
  });

  it('cancels its task when the connection closes, unless a key finds the task again', async () => {
    verifies('http.close-cancels');
    for (const [args, reason] of [
      [{ vendor: 'V' }, 'the caller gave the call up'],
      [{ vendor: 'V', idempotencyKey: 'k-9' }, undefined],
    ] as const) {
      front.store.entries.clear();
      const control = new AbortController();
      front.store.onCreated = () => setTimeout(() => control.abort(), 20);
      await expect(front.call('order', args, { ...UNDECLARED, signal: control.signal })).rejects.toThrow('abort');
      await eventually(async () => {
        const metrics = await (await fetch(`${front.origin}/metrics`)).text();
        return metrics.includes('mcp_tool_calls_open 0');
      });
      expect(onlyEntry()?.cancelReason).toBe(reason);
    }
  });

  it('serves an older revision, without the newer words', async () => {
    front.store.onCreated = (taskId) => front.store.finishWithText(taskId, 'ordered');
    const response = await fetch(front.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'order', arguments: { vendor: 'V' } },
      }),
    });
    const text = await response.text();
    expect(text).toContain('ordered');
    expect(text).not.toContain('resultType');
  });
});
