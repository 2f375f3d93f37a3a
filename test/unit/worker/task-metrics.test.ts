/** Temporal asks for a decision once more when it has not taken the first; what is told again counts once. */
import { describe, expect, it } from '@jest/globals';
import type { WorkflowInfo } from '@temporalio/workflow';
import { Registry } from 'prom-client';
import { createTaskSinks } from '../../../worker/task-metrics.ts';

const TOOL = 'purchase_order';

function meter() {
  const registry = new Registry();
  const { statusChanged } = createTaskSinks(registry).tasks;
  return {
    tell: async (runId: string, ordinal: number, from: string, to: string): Promise<void> => {
      await statusChanged.fn({ runId } as WorkflowInfo, TOOL, { from, to, heldMs: 2_000, ordinal });
    },
    lines: async (name: string): Promise<readonly string[]> => {
      const text = await registry.getSingleMetricAsString(name);
      return text.split('\n').filter((line) => !line.startsWith('#'));
    },
  };
}

describe('the numbers of a worker', () => {
  it('count a change that is told again once, and the next one of the same run', async () => {
    const { tell, lines } = meter();
    await tell('run 1', 1, 'working', 'input_required');
    await tell('run 1', 2, 'input_required', 'completed');
    await tell('run 1', 2, 'input_required', 'completed');
    expect(await lines('mcp_tasks_ended_total')).toEqual([
      'mcp_tasks_ended_total{tool="purchase_order",status="completed"} 1',
    ]);
    expect(await lines('mcp_task_input_required_seconds')).toContain(
      'mcp_task_input_required_seconds_count{tool="purchase_order"} 1',
    );
    expect(await lines('mcp_task_status_changes_total')).toHaveLength(2);
  });

  it('count every run by itself, also one that begins in the middle after a reset', async () => {
    const { tell, lines } = meter();
    await tell('run 1', 1, 'working', 'completed');
    await tell('run 2', 1, 'working', 'completed');
    await tell('run 3', 4, 'working', 'completed');
    expect(await lines('mcp_tasks_ended_total')).toEqual([
      'mcp_tasks_ended_total{tool="purchase_order",status="completed"} 3',
    ]);
  });
});
