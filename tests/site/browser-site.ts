/** Served pages and a browser that opens them; what a page must not do is in the `problems` of its visit. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import AxeBuilder from '@axe-core/playwright';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { serveIndex } from '../../generator/serve/serve-index.ts';
import { openChromium } from './open-chromium.ts';

/** The narrowest is what 400 % of a screen of 1,280 pixels leaves. */
const WIDTHS = [1_440, 360, 320];

export interface Visit {
  readonly page: Page;
  /** Errors, refused loads, dialogs, and requests to other hosts. */
  readonly problems: string[];
  readonly leave: () => Promise<void>;
}

export class BrowserSite {
  /** With a slash at its end. */
  readonly address: string;
  readonly #server: Server;
  readonly #browser: Browser;

  constructor(server: Server, browser: Browser) {
    this.#server = server;
    this.#browser = browser;
    this.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  }

  /** Opens a page of the site. A page that is not there is expected where its path is `nothing/...`. */
  async visit(path: string, options: BrowserContextOptions = {}): Promise<Visit> {
    const context = await this.#browser.newContext(options);
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('console', (message) => {
      const isExpected = path.startsWith('nothing/') && message.text().includes('404');
      if (message.type() === 'error' && !isExpected) problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('dialog', (dialog) => {
      problems.push(`dialog ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(this.address)) problems.push(`loads ${request.url()}`);
    });
    await page.goto(this.address + path, { waitUntil: 'load' });
    return { page, problems, leave: () => context.close() };
  }

  async close(): Promise<void> {
    await this.#browser.close();
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/** Serves the index at `out` to the Chromium of the system. */
export async function openBrowserSite(out: string): Promise<BrowserSite> {
  const browser = await openChromium();
  return new BrowserSite(await serveIndex(out, 0), browser);
}

/** What is wrong with a page in light and dark colours, on wide and narrow screens: rules of axe, and what is wider than the screen. */
export async function faultsInAllViews(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    // The narrowest differs from the next in its width alone.
    for (const colorScheme of width === 320 ? (['light'] as const) : (['light', 'dark'] as const)) {
      await page.emulateMedia({ colorScheme });
      const found = width === 320 ? await widthFaultsOf(page) : await faultsOf(page);
      faults.push(...found.map((one) => `${width} ${colorScheme}: ${one}`));
    }
  }
  return faults;
}

/** What is wrong with a page as it is shown. */
export async function faultsOf(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const faults = violations.flatMap(({ id, nodes }) =>
    nodes.map((n) => `${id} ${n.target.join(' ')} ${n.failureSummary?.slice(0, 200)}`),
  );
  return [...faults, ...(await widthFaultsOf(page))];
}

/** Whether a page is wider than its screen. */
export async function widthFaultsOf(page: Page): Promise<string[]> {
  const isWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
  return isWide === true ? ['wider than the screen'] : [];
}

/** What is wrong without JavaScript, where axe cannot run. */
export async function plainFaultsOf(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    if (!(await page.locator('h1').isVisible())) faults.push('no heading');
    for (const part of await page.locator('main, header, footer').all()) {
      const box = await part.boundingBox();
      if (box === null || box.x + box.width > width) faults.push(`${width}: wider than the screen`);
    }
  }
  return faults;
}
