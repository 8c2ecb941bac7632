/** What people do on the pages of a registry, in a browser: they search, copy, read files and changes, choose colours. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { faultsOf, openBrowserSite } from './browser-site.ts';
import type { BrowserSite, Visit } from './browser-site.ts';
import { fullRepository, makeSite } from './site-fixture.ts';

const BUILD = 'builds/alice/web/';
const FILE = 'builds/alice/web/1.1.0/file/docs/guide.md.html';
const folder = mkdtempSync(join(tmpdir(), 'stackyard-visit-'));
let site: BrowserSite;
let visit: Visit;

beforeAll(async () => {
  mkdirSync(join(folder, 'repository'));
  const git = fullRepository(join(folder, 'repository'));
  const config = { name: 'Test & Co', site: { images: false, highlighting: false } };
  git.commit({ 'registry.config.json': JSON.stringify(config) });
  const out = join(folder, 'index');
  await makeSite(git, out);
  site = await openBrowserSite(out);
});

afterEach(async () => {
  const { problems, leave } = visit;
  await leave();
  if (problems.length > 0) throw new Error(problems.join('\n'));
});

afterAll(async () => {
  await site.close();
  rmSync(folder, { recursive: true });
});

it('finds a build with the keyboard, and copies its command with the address of the registry', async () => {
  visit = await site.visit('', { permissions: ['clipboard-read', 'clipboard-write'] });
  const { page } = visit;
  await page.keyboard.press('/');
  await page.keyboard.type('serves');
  await page.getByRole('option', { name: 'alice/web' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(site.address + BUILD);
  await page.getByRole('button', { name: 'Copy' }).first().click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  const command = await page.evaluate('navigator.clipboard.readText()');
  expect(command).toBe(`stackyard add alice/web --registry ${site.address.slice(0, -1)}`);
  await page.locator('.prose pre').first().hover();
  await page.locator('.copied .copy').first().click();
  await page.locator('.copied').getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe('const a = 1;');
  await page.keyboard.press('y');
  await page.waitForURL(`${site.address}${BUILD}1.1.0/`);
});

it('reads a file, and goes on to the changes of the version', async () => {
  visit = await site.visit(BUILD);
  const { page } = visit;
  await page.getByRole('link', { name: 'Files', exact: true }).click();
  await page.getByRole('link', { name: 'stackyard.json' }).click();
  const text = await page.getByRole('link', { name: 'Plain text' }).getAttribute('href');
  const answer = await page.request.get(new URL(text ?? '', page.url()).href);
  expect(answer.headers()['content-type']).toBe('text/plain;charset=utf-8');
  const place = page.getByRole('navigation', { name: 'Place' });
  await place.getByRole('link', { name: 'alice/web' }).click();
  const versions = page.locator('#versions');
  await versions
    .getByRole('link', { name: /changes/ })
    .first()
    .click();
  expect(await page.locator('h1').textContent()).toBe('Changes from 1.0.0 to 1.1.0');
  await page.getByRole('link', { name: 'docs/guide.md' }).first().click();
  await page.waitForURL(/#change-\d+$/);
  expect(await page.locator('.diff:target ins').first().textContent()).toBe('+# Guide\n');
});

it('keeps a chosen suggestion while the results for more letters arrive', async () => {
  visit = await site.visit('');
  const { page } = visit;
  const chosen = page.locator('[role=option][aria-selected=true]');
  await page.keyboard.press('/');
  await page.keyboard.type('b');
  await page.getByRole('option', { name: 'bob/base' }).waitFor();
  const count = await page.getByRole('option').count();
  while (!(await chosen.textContent({ timeout: 1_000 }).catch(() => ''))?.startsWith('bob/base')) {
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.type('ase');
  await expect.poll(() => page.getByRole('option').count()).toBeLessThan(count);
  expect(await chosen.textContent()).toContain('bob/base');
  await page.keyboard.press('Enter');
  await page.waitForURL(`${site.address}builds/bob/base/`);
});

it('shows how long ago versions are, in the room of their dates', async () => {
  const plain = await site.visit(BUILD, { javaScriptEnabled: false });
  const date = plain.page.locator('#versions time').first();
  const before = await date.boundingBox();
  const text = (await date.textContent()) ?? '';
  expect(text).toMatch(/^\d+ [A-Z][a-z]{2} \d{4}$/);
  await plain.leave();
  visit = await site.visit(BUILD);
  const time = visit.page.locator('#versions time').first();
  expect(await time.textContent()).toMatch(/ago$|^(?:this|last|yesterday|in|next)/);
  expect(await time.getAttribute('title')).toMatch(new RegExp(`^${text}, \\d\\d:\\d\\d UTC$`));
  expect(await time.getAttribute('datetime')).toMatch(/^\d{4}-\d\d-\d\dT/);
  expect(await time.boundingBox()).toEqual(before);
});

it('follows a finding to its line', async () => {
  visit = await site.visit(BUILD);
  const { page } = visit;
  await page.locator('.finding-list a[href*="/file/"]').first().click();
  await page.waitForURL(/\/file\/.*\.html/);
  expect(await page.locator('.line').count()).toBeGreaterThan(0);
});

it('chooses dark colours, which stay without a flash, and meet the rules of accessibility', async () => {
  visit = await site.visit(BUILD, { colorScheme: 'light', viewport: { width: 360, height: 800 } });
  const { page } = visit;
  const colour = (): Promise<string> =>
    page.evaluate('getComputedStyle(document.body).backgroundColor');
  const light = await colour();
  await page.getByRole('button', { name: 'Theme: system' }).click();
  await page.getByRole('button', { name: 'Theme: light' }).click();
  await page.getByRole('button', { name: 'Theme: dark' }).waitFor();
  await page.goto(site.address + FILE, { waitUntil: 'commit' });
  await page.waitForSelector('h1');
  expect(await colour()).not.toBe(light);
  expect(await faultsOf(page)).toEqual([]);
});

it('reads without JavaScript, and searches through tags and keywords', async () => {
  visit = await site.visit(BUILD, { javaScriptEnabled: false });
  const { page } = visit;
  expect(await page.locator('#install-stackyard').textContent()).toContain('add alice/web');
  expect(await page.locator('#install-stackyard').isVisible()).toBe(true);
  expect(await page.locator('.copy').first().isVisible()).toBe(false);
  await page.getByRole('link', { name: 'REST api' }).click();
  expect(await page.locator('h1').textContent()).toBe('rest api');
  await page.goBack();
  await page.getByRole('searchbox').fill('web');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/search\/\?q=web/);
  expect(await page.locator('.build-row').count()).toBeGreaterThan(0);
});

it('goes from the link that skips the header to the content', async () => {
  visit = await site.visit(BUILD);
  const { page } = visit;
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.className')).toBe('skip');
  await page.keyboard.press('Enter');
  expect(page.url()).toContain('#main');
  await page.keyboard.press('?');
  await page.getByRole('heading', { name: 'Keys' }).waitFor();
  expect(await faultsOf(page)).toEqual([]);
});
