/** Where the Temporal UI shows the run of a task, on the tab that says in words what it does and waits for. */

interface Listed {
  readonly executions?: readonly { readonly execution: { readonly workflowId: string; readonly runId: string } }[];
}

/** The run's page, or the list of the runs of `tools` when the UI does not say which it is. */
export async function runLink(
  uiUrl: string,
  namespace: string,
  tools: readonly string[],
  taskId: string,
): Promise<string> {
  const workflows = `/namespaces/${namespace}/workflows`;
  const query = encodeURIComponent(`WorkflowType IN (${tools.map((tool) => `'${tool}'`).join(', ')})`);
  try {
    const response = await fetch(`${uiUrl}/api/v1${workflows}?query=${query}`, { signal: AbortSignal.timeout(3_000) });
    const { executions = [] } = (await response.json()) as Listed;
    const run = executions.find(({ execution }) => execution.workflowId.endsWith(`/${taskId}`))?.execution;
    if (run !== undefined)
      return `${uiUrl}${workflows}/${encodeURIComponent(run.workflowId)}/${run.runId}/user-metadata`;
  } catch {
    // Only a convenience: without the UI there is still the list to look at later.
  }
  return `${uiUrl}${workflows}?query=${query}`;
}
