/** Every kind of page in a browser: light and dark, on a telephone and a wide screen, with and without JavaScript. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveIndex } from '../../generator/serve/serve-index.ts';
import { openChromium } from './open-chromium.ts';
import { fullRepository, makeSite } from './site-fixture.ts';

const KINDS = {
  home: '',
  build: 'builds/alice/web/',
  deprecated: 'builds/bob/old/',
  yanked: 'builds/bob/start/',
  version: 'builds/alice/web/1.0.0/',
  files: 'builds/alice/web/1.1.0/files/',
  file: 'builds/alice/web/1.1.0/file/README.md.html',
  binary: 'builds/alice/web/1.1.0/file/src/latin1.txt.html',
  diff: 'builds/alice/web/1.1.0/diff/',
  owner: 'owners/bob/',
  tag: 'tags/express/',
  keyword: 'keywords/rest~20api/',
  tags: 'tags/',
  search: 'search/',
  findings: 'findings/',
  publish: 'publish/',
  run: 'run/',
  verify: 'verify/',
  missing: 'nothing/here',
} as const;

/** The narrowest is what 400 % of a screen of 1,280 pixels leaves. */
const VIEWS = [
  { scheme: 'light', width: 1_440 },
  { scheme: 'dark', width: 1_440 },
  { scheme: 'dark', width: 360 },
  { scheme: 'light', width: 320 },
] as const;

const folder = mkdtempSync(join(tmpdir(), 'stackyard-browser-'));
let browser: Browser;
let server: Server;
let address = '';

beforeAll(async () => {
  mkdirSync(join(folder, 'repository'));
  const git = fullRepository(join(folder, 'repository'));
  // Without an address the 404 page begins at the root of the host, as this server does.
  git.commit({ 'registry.config.json': JSON.stringify({ name: 'Test & Co' }) });
  const out = join(folder, 'index');
  await makeSite(git, out);
  server = await serveIndex(out, 0);
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  browser = await openChromium();
});

afterAll(async () => {
  await browser.close();
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

/** Opens a page; what it logs as an error or loads from elsewhere is in `problems`. */
async function open(
  path: string,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<{ page: Page; problems: string[] }> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => {
    const isExpected = path === KINDS.missing && message.text().includes('404');
    if (message.type() === 'error' && !isExpected) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(address)) problems.push(`loads ${request.url()}`);
  });
  await page.goto(address + path, { waitUntil: 'load' });
  return { page, problems };
}

describe.each(VIEWS)('pages in $scheme at $width pixels', ({ scheme, width }) => {
  it.each(Object.entries(KINDS))(
    '%s: accessible, no wider than the screen, no errors',
    async (kind, path) => {
      const viewport = { width, height: 900 };
      const { page, problems } = await open(path, { colorScheme: scheme, viewport });
      const { violations } = await new AxeBuilder({ page }).analyze();
      const found = violations.flatMap(({ id, nodes }) =>
        nodes.map((n) => `${kind}: ${id} ${n.target.join(' ')} ${n.failureSummary?.slice(0, 200)}`),
      );
      expect(found).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      expect(problems).toEqual([]);
      await page.context().close();
    },
  );
});

describe('pages without JavaScript', () => {
  it('show the command, the text and the lists', async () => {
    const { page } = await open(KINDS.build, { javaScriptEnabled: false });
    expect(await page.locator('#install-stackyard').textContent()).toContain('add alice/web');
    expect(await page.locator('.copy').first().isVisible()).toBe(false);
    await page.getByRole('link', { name: 'REST api' }).click();
    expect(await page.locator('h1').textContent()).toBe('rest api');
    await page.goBack();
    await page.getByRole('searchbox').fill('web');
    await page.keyboard.press('Enter');
    expect(page.url()).toContain('/search/?q=web');
    expect(await page.locator('.build-row').count()).toBeGreaterThan(0);
    await page.context().close();
  });
});

describe('a reader', () => {
  it('follows a finding to its line, and the version to its changes', async () => {
    const { page } = await open(KINDS.build);
    await page.locator('.finding-list a[href*="/file/"]').first().click();
    await page.waitForURL(/\/file\/.*\.html/);
    await page
      .getByRole('navigation', { name: 'Place' })
      .getByRole('link', { name: 'alice/web' })
      .click();
    await page
      .locator('#versions')
      .getByRole('link', { name: /changes/ })
      .first()
      .click();
    expect(await page.locator('h1').textContent()).toBe('Changes from 1.0.0 to 1.1.0');
    expect(await page.locator('ins').count()).toBeGreaterThan(0);
    await page.context().close();
  });

  it('chooses dark colours, which stay without a flash', async () => {
    const { page } = await open(KINDS.home, { colorScheme: 'light' });
    const colour = (): Promise<string> =>
      page.evaluate('getComputedStyle(document.body).backgroundColor');
    const light = await colour();
    await page.evaluate(`localStorage.setItem('theme', 'dark')`);
    await page.goto(address + KINDS.build, { waitUntil: 'commit' });
    await page.waitForSelector('h1');
    expect(await colour()).not.toBe(light);
    await page.context().close();
  });

  it('goes through a page by keyboard, from the link that skips the header', async () => {
    const { page } = await open(KINDS.build);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.className')).toBe('skip');
    await page.keyboard.press('Enter');
    expect(page.url()).toContain('#main');
    await page.context().close();
  });
});
