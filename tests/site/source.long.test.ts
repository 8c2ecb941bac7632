/** The source page in a browser: files and trees, differences, versions, and answers where nothing can be shown. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { packTarball } from '../../format/archive/tarball.ts';
import { tarballPath } from '../../format/index/layout.ts';
import { sourceAddress, type SourceView } from '../../generator/site/source-address.ts';
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

/** The title and the text of the answer. */
async function problem(view: Omit<SourceView, 'id'>): Promise<string> {
  const page = await open(view);
  expect(await page.locator('.file, .tree, .diff').count()).toBe(0);
  expect(await faultsOf(page)).toEqual([]);
  return (await page.locator('main').innerText()).replace(/\s+/g, ' ');
}

describe('the source page', () => {
  it('is shown at its place in a project, with lines that a click, shift and arrows choose', async () => {
    const page = await open({ version: '1.0.0', file: 'page.ts', lines: [3, 7] });
    expect(await page.locator('.file-name bdi').textContent()).toBe('src/web/page.ts');
    expect(await page.locator('.line-marked').count()).toBe(5);
    expect(await page.locator('.tk').first().textContent()).toBe('export');
    expect(await page.title()).toBe('src/web/page.ts · alice/web 1.0.0');
    await page.locator('.line > a').nth(1).click();
    await page.waitForURL(/#page\.ts:L2$/);
    await page
      .locator('.line > a')
      .nth(4)
      .click({ modifiers: ['Shift'] });
    await page.waitForURL(/#page\.ts:L2-L5$/);
    await expect.poll(() => page.locator('.line-marked').count()).toBe(4);
    await page.locator('.line > a').first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/#page\.ts:L2$/);
    await page.keyboard.press('Shift+ArrowDown');
    await page.waitForURL(/#page\.ts:L2-L3$/);
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
    expect(text).toContain('The tarball is gone');
  });
});

describe('a file', () => {
  it('is chosen in the tree, which has installed files at their destination apart from the others', async () => {
    const page = await open({ version: '1.0.0' });
    const tree = page.locator('.trees');
    expect(await page.locator('.tree-lead').first().textContent()).toBe(
      'Writes 5 files to src/web',
    );
    expect(await tree.locator('h2').textContent()).toBe('Not installed');
    expect(await tree.locator('summary bdi').first().textContent()).toBe('src/web');
    await tree.getByRole('link', { name: 'שלום 🙂.ts' }).click();
    await expect
      .poll(() => page.locator('.file-name').textContent())
      .toContain('src/web/שלום 🙂.ts');
    expect(await tree.locator('[aria-current]').textContent()).toBe('שלום 🙂.ts');
    await tree.getByRole('link', { name: 'README.md' }).click();
    await expect.poll(() => page.locator('.file-name').textContent()).toContain('not installed');
    await page.goBack();
    await expect.poll(() => page.locator('.file-name').textContent()).toContain('שלום');
  });

  it('that is not UTF-8 is named as such; one line of 1 MB is cut', async () => {
    const page = await open({ version: '1.0.0', file: 'latin1.ts' });
    expect(await page.locator('.file-note').textContent()).toContain('not text (UTF-8)');
    await page.getByRole('link', { name: 'long.ts' }).click();
    await page.locator('.cut').waitFor();
    expect(await page.locator('.cut').textContent()).toBe('… 998,013 more characters');
    expect(await page.locator('.line').count()).toBe(1);
  });

  it('is copied and saved as it is, never under its own type', async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const page = await open({ version: '1.0.0', file: 'README.md' }, { permissions });
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('# web\n');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('README.md');
    expect(readFileSync(await download.path(), 'utf8')).toBe('# web\n');
  });

  it('that the version does not have is named', async () => {
    const page = await open({ version: '1.0.0', file: 'src/<b>gone' });
    expect(await page.locator('.source-body').textContent()).toContain('no file src/<b>gone');
  });
});

describe('the difference of two versions', () => {
  it('goes the other way as well, and is chosen and left by the list of versions', async () => {
    const page = await open({ version: '1.0.0' });
    await page.getByLabel('Compare with').selectOption('1.1.0');
    await page.locator('.changes[data-compared]').waitFor();
    expect(page.url()).toContain('version=1.0.0&against=1.1.0');
    expect(await page.locator('.changes .note').textContent()).toContain('No longer in 1.0.0');
    await page.getByLabel('Compare with').selectOption('');
    await page.locator('.file').waitFor();
    expect(page.url()).not.toContain('against');
  });
});

describe('nothing is shown of', () => {
  it('a missing tarball', async () => {
    expected = /404/;
    expect(await problem({ version: '1.3.0' })).toContain(
      'its host does not serve the files of it',
    );
  });

  it('an unknown version, an unknown build, and an address without one', async () => {
    expected = /404/;
    expect(await problem({ version: '9.0.0' })).toContain('"alice/web" has no version "9.0.0"');
    await visit.leave();
    visit = await fixture.site.visit('source/?id=no/body&version=1.0.0');
    await visit.page.getByRole('heading', { name: 'There is no such build' }).waitFor();
    await visit.leave();
    for (const query of ['', '?id=%3Cb%3E&version=1.0.0', '?id=a/b&version=x', '?id=a/b']) {
      visit = await fixture.site.visit(`source/${query}`);
      await visit.page.getByRole('heading', { name: 'names no version' }).waitFor();
      await visit.leave();
    }
    visit = await fixture.site.visit('');
  });

  it('a registry that cannot be reached, until it can be', async () => {
    expected = /ERR_FAILED|net::/;
    visit = await fixture.site.visit('');
    const { page } = visit;
    await page.route('**/*.tgz', (route) => route.abort());
    await page.goto(fixture.site.address + sourceAddress({ id: ID, version: '1.0.0' }));
    await page.getByRole('heading', { name: 'The registry cannot be reached' }).waitFor();
    await page.unroute('**/*.tgz');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => page.locator('.file').count()).toBe(1);
  });
});

it('a yanked version is shown with its reason', async () => {
  const page = await open({ version: '1.2.0' });
  expect(await page.locator('.note').textContent()).toBe(
    'Version 1.2.0 is yanked: It forgets <b>pages</b>',
  );
});

it('checks the digest without crypto.subtle, as on a page without TLS', async () => {
  visit = await fixture.site.visit('');
  const { page } = visit;
  await page.addInitScript(
    "Object.defineProperty(Crypto.prototype, 'subtle', { value: undefined })",
  );
  await page.goto(fixture.site.address + sourceAddress({ id: ID, version: '1.0.0' }));
  await page.locator('.file').waitFor();
  const loaded = await page.evaluate(
    "performance.getEntriesByType('resource').some(({ name }) => name.includes('/sha2-'))",
  );
  expect(loaded).toBe(true);
});

it('reads without JavaScript how to read files', async () => {
  visit = await fixture.site.visit(sourceAddress({ id: ID, version: '1.0.0' }), {
    javaScriptEnabled: false,
  });
  const text = await visit.page.locator('main').innerText();
  expect(text).toContain('stackyard info <owner>/<name>@<version> --files');
  expect(text).not.toContain('Fetching');
});
