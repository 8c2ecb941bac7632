// The built pages in a browser: Chromium or Chrome of this machine, or the program that CHROMIUM names.

import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import { preview, type PreviewServer } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';

let server: PreviewServer;
let browser: Browser;
let context: BrowserContext;

beforeAll(async () => {
  const executablePath = process.env['CHROMIUM'];
  // "--no-sandbox" is for containers that run as root.
  browser = await chromium.launch({
    ...(executablePath ? { executablePath } : { channel: 'chrome' }),
    args: ['--no-sandbox'],
  });
  server = await preview({ preview: { port: 0 }, logLevel: 'error' });
  context = await browser.newContext({ baseURL: server.resolvedUrls?.local[0] ?? '' });
  // The API in place of a real one.
  await context.route('/health', (route) => route.fulfill({ json: { status: 'ok' } }));
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
});

test.each([
  ['desktop', { width: 1280, height: 800 }],
  ['phone', { width: 360, height: 740 }],
])('pages work and are accessible on a %s', async (_name, size) => {
  const page = await context.newPage();
  await page.setViewportSize(size);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  for (const [path, title] of [
    ['/', 'Welcome'],
    ['/nowhere', 'Page not found'],
  ] as const) {
    await page.goto(path);
    await page.getByRole('heading', { name: title }).waitFor();
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  }
  expect(faults).toEqual([]);
});
