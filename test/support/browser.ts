/** Chromium with an empty profile; it ends with the test or file that opened it. */
import { patiently } from './patience.js';
import { chromium, type Page } from 'playwright-core';
import { findChromium } from '../../scripts/chromium.js';
import { temporaryFolder } from './temporary-folder.ts';
import { atScopeEnd } from './scope.ts';

/** No sandbox, since it needs a user that containers lack; and nothing that calls home. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const VIEWPORT = { width: 1_560, height: 860 };

export interface PageChoices {
  /** CSS pixels. Default: 1,560 by 860. */
  readonly viewport?: { readonly width: number; readonly height: number };
  /** Default: it does. */
  readonly runsScripts?: boolean;
}

/** @throws when there is no Chromium, with how to get it */
export async function openPage({ viewport = VIEWPORT, runsScripts = true }: PageChoices = {}): Promise<Page> {
  const executablePath = findChromium();
  if (executablePath === undefined) {
    throw new Error('Chromium is missing: apt-get install chromium, or name one in CHROMIUM_PATH.');
  }
  const context = await chromium.launchPersistentContext(await temporaryFolder(), {
    executablePath,
    args: ARGUMENTS,
    viewport,
    javaScriptEnabled: runsScripts,
    timezoneId: 'UTC',
  });
  atScopeEnd(() => context.close());
  context.setDefaultTimeout(patiently(15_000));
  return context.newPage();
}
