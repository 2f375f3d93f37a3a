/** `npm run demo` against the running product, as the README shows it. */
import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { answersOk, repositoryRoot } from '../support/child.ts';
import { startEverything, type Everything } from '../support/everything.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { atScopeEnd } from '../support/scope.ts';

const START_WITHIN_MS = 90_000;
const DEMO_WITHIN_MS = 90_000;

let everything: Everything;

beforeAll(async () => {
  everything = await startEverything();
}, START_WITHIN_MS);

/** `typed` is what the person at the keyboard types. */
function demo(args: readonly string[], typed: string): Promise<{ code: number | null; said: string }> {
  const child = spawn('npm', ['run', '--silent', 'demo', '--', ...args], {
    cwd: repositoryRoot,
    env: { ...process.env, MCP_URL: everything.mcpUrl, TEMPORAL_UI_URL: everything.uiUrl, SETUP_INSTALL: 'off' },
    timeout: DEMO_WITHIN_MS,
  });
  atScopeEnd(async () => void child.kill('SIGKILL'));
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (text: string) => (said += text));
  }
  child.stdin.end(typed);
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, said })));
}

describe('npm run demo', () => {
  it(
    'shows each status, puts the question, and prints the result and the link to the run',
    async () => {
      const { code, said } = await demo(
        ['demo/requests/laptops-above-justification-limit.csv'],
        'Four new colleagues start in May.\n',
      );
      expect(said).toMatch(
        new RegExp(
          [
            /^Ordering what demo\/requests\/laptops-above-justification-limit\.csv asks for, at http:\S+/,
            /Task [\w-]{22}/,
            /In the Temporal UI: http:\S+/,
            / {2}input_required · Waiting for your answer: The order to Rechner & Söhne, Berlin for 6147\.20 EUR needs a justification/,
            /\? The order to Rechner & Söhne, Berlin for 6147\.20 EUR needs a justification/,
            / {2}Justification \(at least 20 characters; ! declines\): /,
            / {2}completed · Completed/,
            /Result:\nOrder PO-\d+ is posted: Rechner & Söhne, Berlin, 6147\.20 EUR, cost centre 2100\./,
            /PDF: task:\/\/\S+\.pdf \(\d+ bytes\)/,
          ]
            .map(({ source }) => source)
            .join('[\\s\\S]*'),
        ),
      );
      const taskId = /^Task (\S+)$/m.exec(said)![1]!;
      const link = /In the Temporal UI: (\S+)/.exec(said)![1]!;
      expect(decodeURIComponent(link)).toContain(`/${taskId}/`);
      expect(await answersOk(link)).toBe(true);
      expect(code).toBe(0);
    },
    DEMO_WITHIN_MS,
  );

  it(
    'takes a choice by its number, and saves the PDF where it is told to',
    async () => {
      const folder = await temporaryFolder();
      const { code, said } = await demo(['demo/requests/cables-without-cost-centre.json', '--save', folder], '2\n');
      expect(said).toContain('    2  2100 Information technology');
      expect(said).toMatch(/is posted: Kabel & Kontakt OHG, 223\.50 EUR, cost centre 2100\./);
      expect(await readdir(folder)).toEqual([expect.stringMatching(/^purchase-order-PO-\d+\.pdf$/)]);
      expect(code).toBe(0);
    },
    DEMO_WITHIN_MS,
  );

  it(
    'prints the reason and ends with 1 when nothing was ordered',
    async () => {
      const { code, said } = await demo(['demo/requests/cables-without-cost-centre.json'], '!\n');
      expect(said).toContain('It did not work:\nNothing was ordered: the question was not answered.');
      expect(code).toBe(1);
    },
    DEMO_WITHIN_MS,
  );

  it(
    'shows who is waited for, and that nothing was ordered when they do not decide in time',
    async () => {
      const { code, said } = await demo(['demo/requests/servers-for-three-approvers.json', '--within', '20'], '');
      expect(said).toMatch(/ {2}working · Waiting for purchasing, due \S+ \S+ UTC\n/);
      expect(said).toMatch(/It did not work:\nNothing was ordered: .+ needed an approval by purchasing/);
      expect(code).toBe(1);
    },
    DEMO_WITHIN_MS,
  );
});
