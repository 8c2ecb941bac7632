/** What people do on the pages of a registry, in a browser: they search, copy, choose panels and colours. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { faultsOf, openBrowserSite } from './browser-site.ts';
import type { BrowserSite, Visit } from './browser-site.ts';
import { fullRepository, makeSite } from './site-fixture.ts';

const BUILD = 'builds/alice/web/';
const OWNER = 'owners/alice/';
const folder = mkdtempSync(join(tmpdir(), 'stackyard-visit-'));
let site: BrowserSite;
let visit: Visit;

beforeAll(async () => {
  mkdirSync(join(folder, 'repository'));
  const git = fullRepository(join(folder, 'repository'));
  git.commit({ 'registry.config.json': JSON.stringify({ name: 'Test & Co' }) });
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
  await page.keyboard.press('Enter');
  await page.waitForURL(`${site.address}search/?q=serves`);
  // The best builds, which are there first, have given way to what was found.
  await page.getByRole('link', { name: 'bob/base' }).waitFor({ state: 'detached' });
  await page.locator('#q').press('ArrowDown');
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
});

it.each([true, false])('shows one panel, that of the address (JavaScript: %s)', async (isOn) => {
  visit = await site.visit(BUILD, { javaScriptEnabled: isOn });
  const { page } = visit;
  const shown = async (): Promise<string[]> => {
    const all = await page.locator('.panel').all();
    const seen = await Promise.all(
      all.map(async (one) => ((await one.isVisible()) ? [await one.getAttribute('id')] : [])),
    );
    return seen.flat().map(String);
  };
  expect(await shown()).toEqual(['readme']);
  await page.getByRole('link', { name: /^Versions/ }).click();
  expect(page.url()).toBe(`${site.address}${BUILD}#versions`);
  expect(await shown()).toEqual(['versions']);
  // The address of a heading in a panel shows the panel.
  await page.goto(`${site.address}${BUILD}#integrity`);
  expect(await shown()).toEqual(['details']);
  await page.goBack();
  expect(await shown()).toEqual(['versions']);
});

it('goes through the panels with the keyboard, and stays where the page is', async () => {
  visit = await site.visit(BUILD, { viewport: { width: 390, height: 700 } });
  const { page } = visit;
  const nav = page.getByRole('navigation', { name: 'Parts of this page' });
  const current = nav.locator('[aria-current]');
  expect(await current.textContent()).toBe('README');
  await nav.getByRole('link', { name: 'README' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  const before = await page.evaluate('scrollY');
  await page.keyboard.press('Enter');
  await page.waitForURL(/#files$/);
  expect(await current.textContent()).toMatch(/^Files/);
  expect(await page.locator('#files').isVisible()).toBe(true);
  expect(await page.evaluate('scrollY')).toBe(before);
});

it('follows a finding to its line', async () => {
  visit = await site.visit(`${BUILD}#safety`);
  const { page } = visit;
  const link = page.locator('.finding-list a[href*="source/"]').first();
  expect(await link.getAttribute('href')).toMatch(/source\/\?id=alice\/web&version=1\.1\.0#./);
});

it('has the colours of the system, and meets the rules of accessibility in the dark ones', async () => {
  const colour = 'getComputedStyle(document.body).backgroundColor';
  visit = await site.visit(OWNER, { colorScheme: 'dark', viewport: { width: 360, height: 800 } });
  const { page } = visit;
  expect(await faultsOf(page)).toEqual([]);
  const dark = await page.evaluate(colour);
  await page.emulateMedia({ colorScheme: 'light' });
  expect(await page.evaluate(colour)).not.toBe(dark);
});

it('reads without JavaScript, and searches by words', async () => {
  visit = await site.visit(BUILD, { javaScriptEnabled: false });
  const { page } = visit;
  expect(await page.locator('#install-stackyard').textContent()).toContain('add alice/web');
  expect(await page.locator('#install-stackyard').isVisible()).toBe(true);
  expect(await page.locator('.copy').first().isVisible()).toBe(false);
  await page.getByRole('link', { name: 'Details' }).click();
  await page.getByRole('link', { name: 'REST api' }).click();
  expect(page.url()).toBe(`${site.address}search/?keyword=rest+api`);
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
});
