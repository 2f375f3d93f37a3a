/** The web page of the MCP Inspector in a real browser: a task asks a person, who answers in a form. */
import { expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { openPage } from '../../support/browser.ts';
import { answersOk, repositoryRoot } from '../../support/child.ts';
import { freePort } from '../../support/free-port.ts';
import { startTracked } from '../../support/processes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { openFixtures } from './support/fixtures.ts';
import { inspectorProgram } from './support/inspector.ts';

const PICTURE = `${repositoryRoot}docs/images/inspector.png`;

async function startInspector(serverUrl: string): Promise<string> {
  const [{ node, entry }, home, port, sandboxPort, appPort] = await Promise.all([
    inspectorProgram('inspector'),
    temporaryFolder(),
    freePort(),
    freePort(),
    freePort(),
  ]);
  const url = `http://127.0.0.1:${String(port)}/`;
  await startTracked({
    name: 'the Inspector',
    command: node,
    args: [...entry, '--web', '--transport', 'http', '--server-url', serverUrl, '--protocol-era', 'modern'],
    env: {
      HOME: home,
      HOST: '127.0.0.1',
      CLIENT_PORT: String(port),
      MCP_SANDBOX_PORT: String(sandboxPort),
      MCP_APP_ORIGIN_PORT: String(appPort),
      MCP_AUTO_OPEN_ENABLED: 'false',
      // The page is on the loopback, for the length of a test.
      DANGEROUSLY_OMIT_AUTH: 'true',
      MCP_INSPECTOR_SECRET_STORE: 'memory',
    },
    isReady: () => answersOk(url),
    readyWithinMs: 60_000,
  });
  return url;
}

it('shows what a task asks, takes the answer, and shows the result', async () => {
  const fixtures = await openFixtures();
  const [inspectorUrl] = await Promise.all([startInspector(fixtures.url), fixtures.start()]);
  const page = await openPage();
  await page.goto(inspectorUrl, { waitUntil: 'domcontentloaded' });
  await page.getByRole('switch', { name: /Connect or disconnect/ }).click({ force: true });
  await page.getByText(/^Connected \(/).waitFor();
  await page.getByText('Tools', { exact: true }).first().click();
  await page.getByText('Confirm delete').first().click();
  await page.getByRole('textbox', { name: 'filename' }).fill('report.txt');
  await page
    .getByRole('button', { name: /Execute|Run|Call/ })
    .first()
    .click();
  const submit = page.getByRole('button', { name: 'Submit' });
  await submit.waitFor();
  if (process.env['SCREENSHOTS'] === '1') await page.screenshot({ path: PICTURE, animations: 'disabled' });
  // `check` wants its state changed at once; the page draws it when its turn comes.
  const box = page.getByLabel('Delete it').first();
  await box.click({ force: true });
  await eventually(() => box.isChecked(), 10_000);
  await submit.click();
  await page.getByText('Deleted report.txt.').first().waitFor();
  expect(await page.getByText('Deleted report.txt.').count()).toBeGreaterThan(0);
}, 240_000);
