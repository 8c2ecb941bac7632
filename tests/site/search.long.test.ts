/** The browser module in Chromium, over served files: search, filters, keys, and what a session fetches. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeCatalog } from './made-catalog.ts';
import { findBuilds } from '../../format/index/ranking.ts';
import { openSearchSite, writeSearchSite } from './search-site.ts';
import type { SearchSite } from './search-site.ts';

const folder = mkdtempSync(join(tmpdir(), 'stackyard-search-'));
const BUILDS = [
  { ...makeCatalog(1)[0]!, id: 'alice/quokka', description: '<b>Quick</b> & small', yanked: false },
  ...makeCatalog(3_000),
];
let site: SearchSite;
let context: BrowserContext;
let page: Page;
/** What a page must not have: errors, refused loads, requests to other hosts. */
let faults: string[];

beforeAll(async () => {
  await writeSearchSite(folder, BUILDS);
  site = await openSearchSite(folder);
});

afterAll(async () => {
  await site.close();
  rmSync(folder, { recursive: true });
});

beforeEach(async () => {
  await open({});
});

afterEach(async () => {
  await context.close();
  if (faults.length > 0) throw new Error(faults.join('\n'));
});

async function open(options: { javaScriptEnabled?: boolean }): Promise<void> {
  context = await site.browser.newContext(options);
  page = await context.newPage();
  page.setDefaultTimeout(60_000);
  faults = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(site.address)) faults.push(request.url());
  });
}

/** Ids that the ranking finds in all builds. */
function expected(words: string, keep: number): string[] {
  return findBuilds(words, BUILDS)
    .builds.slice(0, keep)
    .map(({ id }) => id);
}

describe('the search page', () => {
  it('shows what the address asks for, and keeps it there', async () => {
    await page.goto(`${site.address}search/?q=typescript&kind=foundation&owner=owner-9&x=1`);
    const names = page.locator('[data-results] a.build-name');
    const status = page.locator('[data-result-count]');
    await expect.poll(() => status.textContent()).not.toBe('');
    const all = findBuilds('typescript', BUILDS).builds.filter(({ kind }) => kind === 'foundation');
    expect(await names.allTextContents()).toEqual(
      all.map(({ id }) => id).filter((id) => id.startsWith('owner-9/')),
    );
    await page.getByRole('link', { name: 'Remove the filter owner: owner-9' }).click();
    await page.waitForURL(`${site.address}search/?q=typescript&kind=foundation`);
    await expect.poll(() => names.allTextContents()).toEqual(all.map(({ id }) => id).slice(0, 20));
    await page.getByLabel('Risk').selectOption('caution');
    await page.getByLabel('any').check();
    await page.waitForURL(`${site.address}search/?q=typescript&risk=caution`);
    const risky = findBuilds('typescript', BUILDS).builds.filter(({ risk }) => risk === 'caution');
    await expect
      .poll(() => names.allTextContents())
      .toEqual(risky.map(({ id }) => id).slice(0, 20));
    expect(await status.textContent()).toBe(`${risky.length} builds`);
  });

  it('goes from the field through the results with arrow keys', async () => {
    await page.goto(`${site.address}search/`);
    await page.locator('#q').fill('typescript');
    const names = page.locator('[data-results] a.build-name');
    await expect.poll(() => names.count()).toBe(20);
    await page.locator('#q').press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    const second = expected('typescript', 2)[1]!;
    expect(await page.locator(':focus').textContent()).toBe(second);
    await page.keyboard.press('Escape');
    expect(await page.locator(':focus').getAttribute('id')).toBe('q');
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => names.count()).toBe(40);
    expect(await names.allTextContents()).toEqual(expected('typescript', 40));
    expect(await page.locator(':focus').textContent()).toBe(expected('typescript', 21)[20]);
  });

  it('states that there is no result, and returns to its own list', async () => {
    await page.goto(`${site.address}search/`);
    await page.locator('#q').fill('zzzzz');
    await page.getByText('No build found').waitFor();
    expect(await page.getByText('Look at the tags').isVisible()).toBe(true);
    await page.locator('#q').fill('');
    await page.getByRole('link', { name: 'best/one' }).waitFor();
    expect(page.url()).toBe(`${site.address}search/`);
  });

  it('is where the form leads without JavaScript', async () => {
    await context.close();
    await open({ javaScriptEnabled: false });
    await page.goto(site.address);
    await page.locator('#q').fill('sqlite');
    await page.locator('#q').press('Enter');
    await page.waitForURL(`${site.address}search/?q=sqlite`);
    expect(await page.getByRole('link', { name: 'best/one' }).isVisible()).toBe(true);
  });
});

describe('a session', () => {
  it('fetches the catalog once, and only on the search page', async () => {
    const paths: string[] = [];
    page.on('request', (request) => paths.push(request.url().slice(site.address.length)));
    await page.goto(site.address, { waitUntil: 'networkidle' });
    await page.locator('#q').fill('quokka');
    expect(paths.filter((path) => path.startsWith('catalog'))).toEqual([]);
    await page.locator('#q').press('Enter');
    await page.waitForURL(`${site.address}search/?q=quokka`);
    await page.locator('#q').fill('');
    await page.locator('#q').pressSequentially('typescript database', { delay: 60 });
    await expect
      .poll(() => page.locator('[data-results] a.build-name').first().textContent())
      .toBe(expected('typescript database', 1)[0]);
    expect(paths.filter((path) => path.startsWith('catalog/'))).toHaveLength(1);
  });
});

describe('a page', () => {
  it('copies, and shows one package manager at a time', async () => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(site.address);
    const copy = page.getByRole('button', { name: 'Copy' });
    await copy.click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('npx add');
    await expect.poll(() => page.locator('#announce').textContent()).toBe('Copied');

    await page.getByRole('tab', { name: 'npm', exact: true }).focus();
    await page.keyboard.press('ArrowRight');
    expect(await page.getByText('pnpm dlx add').isVisible()).toBe(true);
    expect(await page.getByText('npx add').isVisible()).toBe(false);
    await page.reload();
    expect(await page.getByRole('tabpanel', { name: 'pnpm' }).isVisible()).toBe(true);
    expect(await page.getByText('npx add').isVisible()).toBe(false);
  });

  it('has a key for the search', async () => {
    await page.goto(site.address);
    await page.locator('#q').focus();
    await page.keyboard.type('a/b');
    expect(await page.locator('#q').inputValue()).toBe('a/b');
    await page.locator('#q').blur();
    await page.keyboard.press('/');
    expect(await page.locator(':focus').getAttribute('id')).toBe('q');
  });
});

describe('words that no build has', () => {
  it('are corrected, which the results state', async () => {
    const text = 'No build has "quokak". Results for "quokka".';
    await page.goto(`${site.address}search/?q=quokak`);
    await page.getByRole('link', { name: 'alice/quokka' }).waitFor();
    expect(await page.locator('.search-note').textContent()).toBe(text);
    await page.locator('#q').fill('quokka');
    await expect.poll(() => page.locator('.search-note').textContent()).toBe('');
  });

  it('never become markup', async () => {
    const words = '<i>quokak</i>';
    await page.goto(`${site.address}search/?q=${encodeURIComponent(words)}`);
    await page.getByRole('link', { name: 'alice/quokka' }).waitFor();
    expect(await page.locator('main i').count()).toBe(0);
    expect(await page.locator('.search-note').textContent()).toContain('No build has "quokak"');
  });
});

describe('filters in the address', () => {
  it.each(['kind', 'tag', 'keyword'] as const)('?%s= is one', async (name) => {
    const value = { kind: 'foundation', tag: 'typescript', keyword: 'for' }[name];
    await page.goto(`${site.address}search/?${name}=${value}`);
    const names = page.locator('[data-results] a.build-name');
    const all = findBuilds('', BUILDS).builds.filter(({ kind, requires, provides, keywords }) => {
      if (name === 'kind') return kind === value;
      return name === 'keyword'
        ? keywords.includes(value)
        : [...provides, ...Object.keys(requires)].includes(value);
    });
    expect(all.length).toBeGreaterThan(20);
    await expect.poll(() => names.allTextContents()).toEqual(all.slice(0, 20).map(({ id }) => id));
  });
});
