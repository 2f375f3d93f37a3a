/**
 * What a person finds in the Temporal UI without expanding a payload. The same pages become the pictures of the README:
 * SCREENSHOTS=1 npm test -- temporal-ui
 */
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openPage } from '../support/browser.ts';
import { repositoryRoot } from '../support/child.ts';
import { eventually } from '../support/eventually.ts';
import { startEverything, type Everything } from '../support/everything.ts';
import { freePort } from '../support/free-port.ts';
import { startTracked } from '../support/processes.ts';
import { createTaskClient, resultOf, type TaskClient } from '../support/task-client.ts';

const START_WITHIN_MS = 90_000;
const SHOWN_WITHIN_MS = 30_000;
const POLICY_GIVES_MS = 72 * 3_600_000;

let everything: Everything;
let client: TaskClient;
let page: Page;
const taskIds = { approving: '', asking: '', completed: '', computing: '' };

async function order(file: string): Promise<string> {
  const text = await readFile(`${repositoryRoot}demo/requests/${file}`, 'utf8');
  return client.create('purchase_order', { document: { format: file.endsWith('.csv') ? 'csv' : 'json', text } });
}

beforeAll(async () => {
  everything = await startEverything();
  client = createTaskClient(everything.frontUrl);
  taskIds.completed = await order('cables-without-cost-centre.json');
  await client.until(taskIds.completed, ['input_required'], 20_000);
  await client.accept(taskIds.completed, { costCentre: '2100' });
  resultOf(await client.until(taskIds.completed, ['completed'], 20_000));
  taskIds.computing = await client.create('slow_compute', { seconds: 600, label: 'nightly totals' });
  taskIds.approving = await order('milling-machine-above-approval-limit.csv');
  taskIds.asking = await order('laptops-above-justification-limit.csv');
  await client.until(taskIds.asking, ['input_required'], 20_000);
  const waitsForOthers = async (): Promise<boolean> =>
    (await client.get(taskIds.approving)).statusMessage?.startsWith('Waiting for') === true;
  await eventually(waitsForOthers, 20_000);
  page = await openPage();
}, START_WITHIN_MS);

async function picture(name: string): Promise<void> {
  if (process.env['SCREENSHOTS'] !== '1') return;
  await page.screenshot({ path: `${repositoryRoot}docs/images/${name}.png` });
}

/** As a person goes there: the printed link, the run's row, the tab. */
async function openRun(taskId: string): Promise<void> {
  await page.goto(everything.taskListUrl);
  await page.getByRole('link', { name: taskId }).first().click();
  await page.getByText('User Metadata', { exact: true }).click();
}

/** In the page: the paragraphs and list items that the frame shows without scrolling. */
const SHOWN_LINES = `[...document.querySelectorAll('p, li')]
  .filter((element) => element.innerText.trim() === '' || element.getBoundingClientRect().bottom <= innerHeight)
  .map((element) => element.innerText)
  .join('\\n')`;

async function details(): Promise<string> {
  for (const frame of page.frames().slice(1)) {
    const text = await frame.evaluate<string>(SHOWN_LINES);
    if (text.includes('Task:')) return text;
  }
  throw new Error(`No frame shows details yet at ${page.url()}.`);
}

function untilDetails(...lines: readonly (string | RegExp)[]): Promise<string> {
  return eventually(async () => {
    const text = await details();
    for (const line of lines) expect(text).toMatch(line);
    return text;
  }, SHOWN_WITHIN_MS);
}

describe('the list of tasks behind the printed link', () => {
  it(
    'has the columns of our tasks, and a row for each that names tool, status and task id',
    async () => {
      expect(everything.taskListUrl).toMatch(/\/mcp-tasks$/);
      await page.goto(everything.taskListUrl);
      await page.getByRole('link', { name: taskIds.asking }).first().waitFor();
      const columns = await page.locator('thead th').allInnerTexts();
      expect(columns.map((column) => column.trim()).filter((column) => column !== '')).toEqual([
        'Select all Workflows',
        'Status',
        'McpStatus',
        'Type',
        'McpApprovers',
        'McpWaitingSince',
        'McpDueAt',
        'Workflow ID',
        'Start',
        'End',
        'McpExpiresAt',
      ]);
      const cellsOf = async (taskId: string): Promise<Readonly<Record<string, string>>> => {
        const cells = await page.getByRole('row').filter({ hasText: taskId }).first().locator('td').allInnerTexts();
        return Object.fromEntries(columns.map((column, index) => [column.trim(), (cells[index] ?? '').trim()]));
      };
      const rowOf = async (taskId: string): Promise<string> =>
        page.getByRole('row').filter({ hasText: taskId }).first().innerText();
      // The index lags behind the tasks.
      await eventually(async () => {
        await page.goto(everything.taskListUrl);
        await page.getByRole('link', { name: taskIds.asking }).first().waitFor();
        expect(await rowOf(taskIds.asking)).toMatch(/Running\s+input_required\s+purchase_order/);
        expect(await cellsOf(taskIds.approving)).toMatchObject({ McpStatus: 'working', McpApprovers: 'purchasing' });
      }, SHOWN_WITHIN_MS);
      expect(await rowOf(taskIds.computing)).toMatch(/Running\s+working\s+slow_compute/);
      const { createdAt } = await client.get(taskIds.approving);
      const approving = await cellsOf(taskIds.approving);
      expect(approving).toMatchObject({ Status: 'Running', McpStatus: 'working', McpApprovers: 'purchasing' });
      const timeIn = (cell = ''): number => Date.parse(`${cell.replace(' UTC ', 'T')}Z`);
      const [since, due] = [timeIn(approving['McpWaitingSince']), timeIn(approving['McpDueAt'])];
      expect(due - since).toBe(POLICY_GIVES_MS);
      expect(since).toBeGreaterThanOrEqual(Date.parse(createdAt));
      expect(since).toBeLessThanOrEqual(Date.now());
      expect(await rowOf(taskIds.completed)).toMatch(/Completed\s+completed\s+purchase_order/);
      await picture('list');
    },
    SHOWN_WITHIN_MS * 4,
  );
});

describe('the page of a run', () => {
  it(
    'says of one that waits: vendor, total, the open question, the finished steps, the task id',
    async () => {
      await openRun(taskIds.asking);
      const text = await untilDetails(
        'Vendor: Rechner & Söhne, Berlin',
        'Total: 6147.20 EUR',
        'Status: input_required',
        'Asks its caller: The order to Rechner & Söhne, Berlin for 6147.20 EUR needs a justification',
        /Expires: \d{4}-\d\d-\d\dT/,
        `Task: ${taskIds.asking}`,
        '✓ Read the purchase request',
        '✓ Check the purchase policy',
      );
      expect(text).not.toContain('Now:');
      await picture('run-waiting');
    },
    SHOWN_WITHIN_MS * 2,
  );

  it(
    'says of one that waits for an approver: what needs a decision, whose, since when and until when',
    async () => {
      await openRun(taskIds.approving);
      const { statusMessage, createdAt, lastUpdatedAt } = await client.get(taskIds.approving);
      const text = await untilDetails(
        'Vendor: Fräswerk Süd AG',
        'Needs a decision: Order from Fräswerk Süd AG for 48250.00 CHF',
        /Now: Waiting for purchasing, due .+ UTC, since \S+Z/,
        `Task: ${taskIds.approving}`,
      );
      expect(text).not.toContain('Asks its caller');
      const [, now = '', since = ''] = /Now: (.+), since (\S+Z)/.exec(text) ?? [];
      expect(now).toBe(statusMessage);
      expect(Date.parse(since)).toBeGreaterThanOrEqual(Date.parse(createdAt));
      expect(Date.parse(since)).toBeLessThanOrEqual(Date.parse(lastUpdatedAt));
    },
    SHOWN_WITHIN_MS * 2,
  );

  it(
    'says of one that computes what is being done, and not that it expects anybody',
    async () => {
      await openRun(taskIds.computing);
      const text = await untilDetails('Seconds: 600', 'Label: nightly totals', 'Now: Compute', 'Status: working');
      expect(text).not.toContain('Asks its caller');
    },
    SHOWN_WITHIN_MS * 2,
  );

  it(
    'says of one that has ended: vendor, total, order number, each finished step in words, and how it ended',
    async () => {
      await openRun(taskIds.completed);
      const text = await untilDetails(
        'Vendor: Kabel & Kontakt OHG',
        'Total: 223.50 EUR',
        'Cost centre: 2100',
        /Order: PO-\d+ \(posted\)/,
        'Status: completed',
        `Task: ${taskIds.completed}`,
        '✓ Write the PDF of the order',
      );
      expect(text.split('\n').filter((line) => line.startsWith('✓'))).toEqual([
        '✓ Read the purchase request',
        '✓ Check the purchase policy',
        '✓ Check the purchase policy',
        '✓ Reach the ERP',
        '✓ Post the order to the ERP',
        '✓ Write the PDF of the order',
      ]);
      expect(text).not.toContain('Now:');
      await picture('run-completed');
    },
    SHOWN_WITHIN_MS * 2,
  );

  it(
    'shows each step of the history in words beside its activity',
    async () => {
      await page.goto(everything.taskListUrl);
      await page.getByRole('link', { name: taskIds.completed }).first().click();
      for (const words of ['Read the purchase request', 'Post the order to the ERP', 'Write the PDF of the order']) {
        await page.getByText(words).first().waitFor();
      }
      expect(await page.getByText(/^Task expires at /).count()).toBeGreaterThan(0);
    },
    SHOWN_WITHIN_MS * 2,
  );
});

/** What lets the UI read, out of the `Set-Cookie` of a page that is asked for under the name `host`. */
function cookieFor(host: string, path: string): Promise<readonly string[]> {
  const { hostname, port } = new URL(everything.uiUrl);
  return new Promise((resolve, reject) => {
    const asked = request({ host: hostname, port, path, headers: { host, accept: 'text/html' } }, (answer) => {
      answer.resume();
      resolve((answer.headers['set-cookie'] ?? []).filter((cookie) => cookie.startsWith('mcp_codec')));
    });
    asked.on('error', reject).end();
  });
}

describe('clear text', () => {
  it(
    'is not shown without the cookie that the door sets: what Temporal holds is encrypted',
    async () => {
      await page.goto(everything.taskListUrl);
      const link = page.getByRole('link', { name: taskIds.asking }).first();
      await link.waitFor();
      await page.context().clearCookies();
      const refused = page.waitForResponse(
        (answer) => answer.url().endsWith('/codec/decode') && answer.status() === 401,
      );
      // Within the UI: no page is loaded, so no cookie is set again.
      await link.click();
      await refused;
      // Names of steps stand in clear, so they tell when the history is drawn.
      await page.getByText('checkPolicy').first().waitFor();
      const shown = await Promise.all(page.frames().map((frame) => frame.locator('body').innerText()));
      expect(shown.join('\n')).not.toMatch(/Rechner|6147|justification|Read the purchase request|Check the purchase/);
    },
    SHOWN_WITHIN_MS * 2,
  );

  it(
    'is shown through a door of its own to the UI of any Temporal',
    async () => {
      const port = String(await freePort());
      await startTracked({
        name: 'ui-door',
        command: process.execPath,
        args: ['scripts/ui-door-main.js'],
        env: {
          TEMPORAL_UI_URL: everything.uiUrl,
          TEMPORAL_UI_PORT: port,
          HOST: '127.0.0.1',
          PORT: new URL(everything.frontUrl).port,
          DATA_DIR: everything.dataDir,
        },
        readyWithinMs: 20_000,
        isReady: (child) => child.output().includes('The Temporal UI is at'),
      });
      await page.context().clearCookies();
      await page.goto(`http://127.0.0.1:${port}/mcp-tasks`);
      const decoded = page.waitForResponse((answer) => answer.url() === `http://127.0.0.1:${port}/codec/decode`);
      await page.getByRole('link', { name: taskIds.asking }).first().click();
      expect((await decoded).status()).toBe(200);
      await page.getByText('User Metadata', { exact: true }).click();
      await untilDetails(/Vendor: /);
    },
    SHOWN_WITHIN_MS * 2,
  );

  it('comes to pages that are opened under a name of this machine only, out of reach for scripts and other sites', async () => {
    const { port, host } = new URL(everything.uiUrl);
    for (const path of ['/mcp-tasks', '/namespaces/default/workflows']) {
      expect(await cookieFor(host, path)).toEqual([
        expect.stringMatching(/^mcp_codec=[\w-]{43}; Path=\/codec; HttpOnly; SameSite=Strict$/),
      ]);
      expect(await cookieFor(`localhost:${port}`, path)).toHaveLength(1);
      expect(await cookieFor(`rebound.test:${port}`, path)).toEqual([]);
    }
  });
});
