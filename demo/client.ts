/**
 * An MCP client in the terminal: calls what a file asks for, or has invoices reconciled, shows each status, puts the task's
 * questions to the person at the keyboard, prints the result. It can be stopped at any time; `--task ID` goes on watching.
 *
 *   npm run demo -- [FILE] [--invoices FILE] [--task ID] [--yes] [--answer FIELD=VALUE]... [--save DIR] [--within SECONDS]
 *
 * `--within`: how long those who approve have, where the policy would give them days.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { IDEMPOTENCY_KEY_META, TASKS_CANCEL, TASKS_GET, TASKS_UPDATE } from '../protocol/extension.ts';
import type { ContentBlock, DetailedTask, ToolResult } from '../protocol/task.ts';
import { askForm, type Answers } from './ask.ts';
import { readConfig } from './config.ts';
import { callMcp, McpError } from './mcp.ts';
import { DEMO_TOOLS, ORDER_TOOL, RECONCILE_TOOL, requestedCall, type RequestedCall } from './requested-call.ts';
import { readOrExit } from './read-or-exit.ts';
import { runLink } from './run-link.ts';
import { upload } from './upload.ts';

const DEFAULT_FILE = 'demo/requests/laptops-above-justification-limit.csv';

const { mcpUrl, apiKey, uiUrl, namespace } = readOrExit(readConfig);
const server = { url: mcpUrl, apiKey };

type CallAnswer =
  | (ToolResult & { readonly resultType?: 'complete' })
  | (DetailedTask & { readonly resultType: 'task' });

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      task: { type: 'string' },
      invoices: { type: 'string' },
      yes: { type: 'boolean', default: false },
      answer: { type: 'string', multiple: true, default: [] },
      save: { type: 'string' },
      within: { type: 'string' },
    },
  });
  // Not as a terminal of readline's own, which would keep Ctrl-C to itself.
  const lines = createInterface({ input: process.stdin, terminal: false });
  const given = new Map(
    values.answer.map((pair): [string, string] => [pair.split('=', 1)[0] ?? '', pair.replace(/^[^=]*=/, '')]),
  );
  try {
    const answers = { given, isAutomatic: values.yes, readLine: readLineFrom(lines) };
    const { task, invoices } = values;
    const result =
      task !== undefined
        ? await watch(task, answers)
        : invoices !== undefined
          ? await reconcile(invoices, answers)
          : await order(positionals[0] ?? DEFAULT_FILE, answers, values.within);
    return result === undefined ? 1 : await show(result, values.save);
  } finally {
    lines.close();
  }
}

/** Keeps what a pipe delivers before it is asked for. */
function readLineFrom(lines: Interface): Answers['readLine'] {
  const iterator = lines[Symbol.asyncIterator]();
  return async (prompt) => {
    process.stdout.write(prompt);
    const line = await iterator.next();
    if (line.done !== true) return line.value;
    throw new Error('standard input ended before the question was answered. Use --answer FIELD=VALUE or --yes.');
  };
}

/** The server never sees the file, only its text. */
async function order(file: string, answers: Answers, within: string | undefined): Promise<ToolResult | undefined> {
  const text = await readFile(file, 'utf8');
  const { tool, args } = requestedCall(file, text, { within, now: Date.now() });
  console.log(`${tool === ORDER_TOOL ? 'Ordering' : 'Calling'} what ${file} asks for, at ${mcpUrl}`);
  return call(tool, args, answers);
}

async function reconcile(file: string, answers: Answers): Promise<ToolResult | undefined> {
  const fileId = await upload(server, file);
  console.log(`Reconciling the invoices in ${file}, at ${mcpUrl}`);
  return call(RECONCILE_TOOL, { files: [fileId] }, answers);
}

async function call(tool: string, args: RequestedCall['args'], answers: Answers): Promise<ToolResult | undefined> {
  const answer = await patiently<CallAnswer>(
    'tools/call',
    // Under one key the call may be repeated: it is the same one.
    { name: tool, arguments: args, _meta: { [IDEMPOTENCY_KEY_META]: randomUUID() } },
    tool,
  );
  if (answer.resultType === 'task') return watch(answer.taskId, answers);
  const taskId = answer.structuredContent?.['taskId'];
  if (typeof taskId === 'string') await showRun(taskId);
  return answer;
}

/** The result of the task, or nothing when it ended without one. */
async function watch(taskId: string, answers: Answers): Promise<ToolResult | undefined> {
  await showRun(taskId);
  offerCancel(taskId);
  const answered = new Set<string>();
  let shown = '';
  for (;;) {
    const task = await patiently<DetailedTask>(TASKS_GET, { taskId }, taskId);
    const line = `${task.status}${task.statusMessage === undefined ? '' : ` · ${task.statusMessage}`}`;
    if (line !== shown) console.log(`  ${line}`);
    shown = line;
    switch (task.status) {
      case 'completed':
        return task.result;
      case 'failed':
      case 'cancelled':
        return undefined;
      case 'input_required':
        await answer(task, answers, answered);
        break;
      case 'working':
        await pause(task.pollIntervalMs);
    }
  }
}

async function showRun(taskId: string): Promise<void> {
  console.log(`Task ${taskId}`);
  console.log(`In the Temporal UI: ${await runLink(uiUrl, namespace, DEMO_TOOLS, taskId)}`);
}

async function answer(
  task: DetailedTask & { readonly status: 'input_required' },
  answers: Answers,
  answered: Set<string>,
): Promise<void> {
  for (const [key, request] of Object.entries(task.inputRequests)) {
    if (answered.has(key)) continue;
    const reply = await askForm(request, answers);
    answered.add(key);
    await patiently(TASKS_UPDATE, { taskId: task.taskId, inputResponses: { [key]: reply } }, task.taskId);
  }
  await pause(100);
}

/** A server that is away for a moment is no reason to give a task up. */
async function patiently<Result>(
  method: string,
  params: Readonly<Record<string, unknown>>,
  name: string,
): Promise<Result> {
  for (let triesLeft = 60; ; triesLeft -= 1) {
    try {
      return await callMcp<Result>(server, method, params, name);
    } catch (error) {
      if (error instanceof McpError || triesLeft === 0) throw error;
      await pause(1_000);
    }
  }
}

/** The first Ctrl-C leaves the task running, the second cancels it. */
function offerCancel(taskId: string): void {
  let isAsked = false;
  process.on('SIGINT', () => {
    if (!isAsked) {
      isAsked = true;
      console.log(`\nThe task goes on without this client. Watch it again: npm run demo -- --task ${taskId}`);
      console.log('Press Ctrl-C again within three seconds to cancel it.');
      setTimeout(() => process.exit(130), 3_000);
      return;
    }
    void callMcp(server, TASKS_CANCEL, { taskId }, taskId).finally(() => {
      console.log('Cancel requested.');
      process.exit(130);
    });
  });
}

async function show(result: ToolResult, folder: string | undefined): Promise<number> {
  console.log(result.isError === true ? '\nIt did not work:' : '\nResult:');
  const structured = result.structuredContent === undefined ? undefined : JSON.stringify(result.structuredContent);
  for (const block of result.content) {
    if (block.type === 'text' && block.text !== structured) console.log(block.text);
    if (block.type === 'resource_link')
      console.log(`${extname(block.name).slice(1).toUpperCase()}: ${block.uri} (${block.size ?? '?'} bytes)`);
    if (block.type === 'resource_link' && folder !== undefined) await save(block, folder);
  }
  if (result.structuredContent !== undefined) console.log(JSON.stringify(result.structuredContent, undefined, 2));
  return result.isError === true ? 1 : 0;
}

async function save({ uri, name }: ContentBlock & { type: 'resource_link' }, folder: string): Promise<void> {
  const { contents } = await patiently<{ contents: { blob?: string; text?: string }[] }>(
    'resources/read',
    { uri },
    uri,
  );
  const { blob, text } = contents[0] ?? {};
  if (blob === undefined && text === undefined) return;
  await mkdir(folder, { recursive: true });
  // The server chooses the name, this client the folder.
  const path = join(folder, name.replace(/[^A-Za-z0-9._-]/g, '-'));
  await writeFile(path, blob === undefined ? (text ?? '') : Buffer.from(blob, 'base64'));
  console.log(`Saved ${path}`);
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(
      error instanceof McpError ? `The server refused: ${error.message}` : `The demo failed: ${String(error)}`,
    );
    process.exit(1);
  },
);
