import { existsSync } from 'node:fs';
import { chromium, type Browser, type Page } from 'playwright-core';

const PROGRAMS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Where Chromium is installed, or null: said loudly, and a failure where the tests must be complete. */
export const chromiumProgram: string | null = findChromium();

function findChromium(): string | null {
  const found = PROGRAMS.find((program) => existsSync(program)) ?? null;
  if (found !== null) return found;
  const message = `Chromium is at none of ${PROGRAMS.join(', ')} (Debian: apt-get install chromium): the browser flow cannot be tried.`;
  if (process.env['CI'] === 'true') throw new Error(message);
  console.warn(`SKIPPED: ${message}`);
  return null;
}

/** Chromium that speaks to loopback alone. Its own sandbox is off: it does not start as root, and all pages are ours. */
export async function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumProgram ?? '',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/** A page that waits as long as a loaded machine may need for a whole run: what never comes still ends. */
export async function openPage(browser: Browser): Promise<Page> {
  const page = await browser.newPage({
    viewport: { width: 1280, height: 900 },
    colorScheme: 'light',
    reducedMotion: 'reduce',
  });
  page.setDefaultTimeout(240_000);
  return page;
}
