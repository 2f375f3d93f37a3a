/** Clients that know no tasks, against real processes: questions by multi round trip, held calls, fallback tools. */
import { describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { post, type McpAnswer, type McpRequest, type RpcResult } from '../support/mcp-request.ts';
import type { RoleProcess } from '../support/processes.ts';
import { patiently } from '../support/patience.js';
import { anAskingCall, kill9, openProduct, ordersOf, type Product } from '../support/product.ts';
import { openTemporal } from '../support/temporal.ts';

const FORMS = { elicitation: {} };

async function call(
  front: RoleProcess,
  name: string,
  args: object,
  more: Partial<McpRequest> & { retry?: object } = {},
): Promise<McpAnswer> {
  const { retry, ...request } = more;
  const params = { name, arguments: args, ...retry };
  const signal = AbortSignal.timeout(patiently(60_000));
  return post(`${front.url}/mcp`, { method: 'tools/call', params, capabilities: {}, signal, ...request });
}

async function workflowIds(product: Product): Promise<readonly string[]> {
  const { client } = await openTemporal();
  const query = `TaskQueue = "${product.env['TASK_QUEUE'] ?? ''}"`;
  const ids: string[] = [];
  for await (const { workflowId } of client.workflow.list({ query })) ids.push(workflowId);
  return ids;
}
const onlyWorkflow = (product: Product): Promise<string> =>
  eventually(async () => {
    const [id, ...others] = await workflowIds(product);
    return others.length === 0 && id !== undefined ? id : false;
  }, 15_000);

async function view(front: RoleProcess, name: string, args: object): Promise<RpcResult> {
  return (await call(front, name, args)).body.result;
}
const statusOf = ({ structuredContent }: RpcResult): unknown => (structuredContent.task as { status: unknown }).status;

describe('a question to a client without the extension', () => {
  it('is answered into the same workflow, though every process was killed between the rounds', async () => {
    // Workers that were killed are given up after seconds, on a slow machine after many.
    const product = await openProduct({ env: { FALLBACK_BUDGET_MS: '150000' } });
    const [front, worker] = await Promise.all([product.startFront(), product.startWorker()]);
    const args = anAskingCall();
    const asked = (await call(front, 'purchase_order', args, { capabilities: FORMS })).body.result;
    expect(asked.resultType).toBe('input_required');
    const workflowId = await onlyWorkflow(product);
    await Promise.all([kill9(front), kill9(worker)]);

    const other = await product.startFront();
    const [key = ''] = Object.keys(asked.inputRequests as object);
    const retry = {
      requestState: asked.requestState,
      inputResponses: { [key]: { action: 'accept', content: { costCentre: '1100' } } },
    };
    const held = call(other, 'purchase_order', args, { capabilities: FORMS, retry });
    await product.startWorker();
    const { result } = (await held).body;
    const { taskId } = result.structuredContent as unknown as { taskId: string };
    expect(result.isError).toBeUndefined();
    expect(await workflowIds(product)).toEqual([workflowId]);
    expect(workflowId.endsWith(`/${taskId}`)).toBe(true);

    const replayed = await call(other, 'purchase_order', args, { capabilities: FORMS, retry });
    expect(replayed.body.result.structuredContent).toEqual(result.structuredContent);
    expect(await ordersOf(product.erp, taskId)).toEqual({ live: 1, voided: 0 });
  }, 120_000);
});

describe('a held call', () => {
  it('ends with SIGTERM by naming its task, which another server then waits for', async () => {
    const product = await openProduct();
    const [front, second] = await Promise.all([product.startFront(), product.startFront(), product.startWorker()]);
    const held = call(front, 'slow_compute', { seconds: 20 });
    await onlyWorkflow(product);
    front.signal('SIGTERM');
    const { result } = (await held).body;
    expect(result.content[0].text).toContain('Call task_wait');
    expect(await front.exited).toEqual({ code: 0, signal: null });

    const { id } = result.structuredContent.task as { id: string };
    const waited = await view(second, 'task_wait', { id, seconds: 45 });
    expect(statusOf(waited)).toBe('completed');
    const answer = await view(second, 'task_result', { id });
    expect(answer.content[0].text).toBe('The computation is done after 20 s.');
  }, 120_000);

  it('is cancelled with its connection, unless it carries a key', async () => {
    const product = await openProduct();
    const [front] = await Promise.all([product.startFront(), product.startWorker()]);
    for (const headers of [{}, { 'idempotency-key': 'k-1' }]) {
      const control = new AbortController();
      const label = `with ${String(Object.keys(headers).length)} keys`;
      const held = call(front, 'slow_compute', { seconds: 60, label }, { signal: control.signal, headers });
      const count = 1 + Object.keys(headers).length;
      await eventually(async () => (await workflowIds(product)).length === count, 15_000);
      control.abort();
      await expect(held).rejects.toThrow('abort');
    }
    await eventually(async () => {
      const { structuredContent } = await view(front, 'my_tasks', {});
      const tasks = structuredContent['tasks'] as { status: string }[];
      expect(tasks.map(({ status }) => status)).toEqual(['working', 'cancelled']);
    }, 20_000);
    const { structuredContent } = await view(front, 'my_tasks', {});
    const [{ id }] = structuredContent['tasks'] as [{ id: string }];
    expect(statusOf(await view(front, 'task_wait', { id, seconds: 1 }))).toBe('working');
    await view(front, 'task_cancel', { id });
    expect(statusOf(await view(front, 'task_wait', { id, seconds: 30 }))).toBe('cancelled');
  }, 120_000);
});
