/** The source page in a browser: a file, a difference, and tarballs that are not what was published. The rest is in `source-visit.long.test.ts`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { packTarball } from '../../format/archive/tarball.ts';
import { tarballPath } from '../../format/index/layout.ts';
import type { SourceView } from '../../generator/site/source-address.ts';
import { faultsOf, type Visit } from './browser-site.ts';
import { ID, SourceSite } from './source-site.ts';

let fixture: SourceSite;
let visit: Visit;
/** Problems that a test expects. */
let expected: RegExp | undefined;

beforeAll(async () => {
  fixture = await SourceSite.start();
});

afterEach(async () => {
  const { problems, leave } = visit;
  await leave();
  const others = problems.filter((one) => expected?.test(one) !== true);
  expected = undefined;
  if (others.length > 0) throw new Error(others.join('\n'));
});

afterAll(() => fixture.close());

async function open(view: Omit<SourceView, 'id'>, options = {}): Promise<Page> {
  visit = await fixture.open(view, options);
  return visit.page;
}

describe('the source page', () => {
  /** The title and the text of the answer. */
  async function problem(view: Omit<SourceView, 'id'>): Promise<string> {
    const page = await open(view);
    expect(await page.locator('.file, .tree, .diff').count()).toBe(0);
    expect(await faultsOf(page)).toEqual([]);
    return (await page.locator('main').innerText()).replace(/\s+/g, ' ');
  }

  it('is shown at its place in a project, with lines that a click, shift and arrows choose', async () => {
    const page = await open({ version: '1.0.0', file: 'page.ts', lines: [3, 7] });
    expect(await page.locator('.file-name bdi').textContent()).toBe('src/web/page.ts');
    expect(await page.locator('.line-marked').count()).toBe(5);
    expect(await page.locator('.tk').first().textContent()).toBe('export');
    expect(await page.title()).toBe('src/web/page.ts · alice/web 1.0.0');
    await page.locator('.line > a').nth(1).click();
    expect(page.url()).toMatch(/#page\.ts:L2$/);
    await page
      .locator('.line > a')
      .nth(4)
      .click({ modifiers: ['Shift'] });
    expect(page.url()).toMatch(/#page\.ts:L2-L5$/);
    await expect.poll(() => page.locator('.line-marked').count()).toBe(4);
    await page.locator('.line > a').first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect(page.url()).toMatch(/#page\.ts:L2$/);
    await page.keyboard.press('Shift+ArrowDown');
    expect(page.url()).toMatch(/#page\.ts:L2-L3$/);
    await page.goBack();
    await expect.poll(() => page.locator('.line-marked').count()).toBe(1);
    expect(await faultsOf(page)).toEqual([]);
  });

  it('has new capabilities above the changed lines', async () => {
    const page = await open({ version: '1.1.0', against: '1.0.0' });
    await page.locator('.changes[data-compared]').waitFor();
    expect(await page.locator('h1').textContent()).toBe('Changes from 1.0.0 to 1.1.0');
    expect(await page.locator('.changes .note').textContent()).toMatch(
      /^New in 1\.1\.0.*api\.example.*TOKEN/,
    );
    const diff = page.locator('.diff', { hasText: 'page.ts' });
    expect(await diff.locator('del').textContent()).toContain('export const line1 = 1;');
    expect(await diff.locator('ins').textContent()).toContain('await fetch(');
    expect(await faultsOf(page)).toEqual([]);
    await page.getByLabel('Version').selectOption('1.0.0');
    await page.waitForURL(/version=1\.0\.0/);
  });

  it('an altered tarball', async () => {
    const path = join(fixture.out, tarballPath(ID, '1.1.0'));
    const bytes = readFileSync(path);
    writeFileSync(
      path,
      packTarball([{ path: 'evil.ts', bytes: Buffer.from('x'), executable: false }]),
    );
    try {
      for (const view of [{ version: '1.1.0' }, { version: '1.0.0', against: '1.1.0' }]) {
        const text = await problem(view);
        expect(text).toContain('The tarball is not the one that was published');
        expect(text).toMatch(/Its digest is sha256-\S+; that of the published one is sha256-/);
        await visit.leave();
      }
      visit = await fixture.site.visit('');
    } finally {
      writeFileSync(path, bytes);
    }
  });

  it('a withdrawn version, of which it gives the reason', async () => {
    expected = /404/;
    const text = await problem({ version: '1.4.0' });
    expect(text).toContain('Version 1.4.0 was withdrawn It had a U+202Etoken');
    expect(text).toContain('the tarball is gone');
  });
});
