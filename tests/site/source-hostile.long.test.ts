/** The source page of builds and tarballs that try to run something, to break the layout, to leave their folder, or to take all memory. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { integrityOf } from '../../format/archive/integrity.ts';
import { packTarball } from '../../format/archive/tarball.ts';
import { headPath, tarballPath } from '../../format/index/layout.ts';
import { sourceAddress, type SourceView } from '../../generator/site/source-address.ts';
import { editHead } from '../client/edit-head.ts';
import { GitFixture, build } from '../generate/git-fixture.ts';
import {
  faultsInAllViews,
  faultsOf,
  openBrowserSite,
  widthFaultsOf,
  type BrowserSite,
} from './browser-site.ts';
import { HOSTILE_ID, hostileBuilds } from './hostile-build.ts';
import { makeSite } from './site-fixture.ts';

const PAYLOAD = '"\'><script>alert(1)</script><img src=x onerror=alert(1)>';
const VIEWS: Readonly<Record<string, SourceView>> = {
  '5,000 files': { id: HOSTILE_ID, version: '1.1.0' },
  README: { id: HOSTILE_ID, version: '1.1.0', file: 'README.md' },
  guide: { id: HOSTILE_ID, version: '1.1.0', file: 'INTEGRATION.md' },
  manifest: { id: HOSTILE_ID, version: '1.1.0', file: 'stackyard.json' },
  SVG: { id: HOSTILE_ID, version: '1.1.0', file: 'src/picture.svg' },
  HTML: { id: HOSTILE_ID, version: '1.1.0', file: 'src/page.html' },
  'one line of 1 MB': { id: HOSTILE_ID, version: '1.1.0', file: 'src/min.js' },
  'not UTF-8': { id: HOSTILE_ID, version: '1.1.0', file: 'src/latin1.txt' },
  bidi: { id: HOSTILE_ID, version: '1.1.0', file: 'src/bidi.ts' },
  'long name': { id: HOSTILE_ID, version: '1.1.0', file: `src/${'n'.repeat(200)}.ts` },
  'odd name': { id: HOSTILE_ID, version: '1.1.0', file: "src/a'b&c %.ts" },
  'file that is not there': { id: HOSTILE_ID, version: '1.1.0', file: PAYLOAD },
  difference: { id: HOSTILE_ID, version: '1.1.0', against: '1.0.0' },
  'id in the address': { id: `eve/${PAYLOAD}`, version: '1.0.0' },
  'version in the address': { id: HOSTILE_ID, version: PAYLOAD },
  'yank of a hostile reason': { id: 'eve/yanked', version: '1.0.0' },
};

const folder = mkdtempSync(join(tmpdir(), 'stackyard-source-hostile-'));
const out = join(folder, 'index');
let site: BrowserSite;

beforeAll(async () => {
  mkdirSync(join(folder, 'repository'));
  const git = new GitFixture(join(folder, 'repository'));
  const [first, second] = hostileBuilds();
  const config = { 'registry.config.json': JSON.stringify({ name: `<b>${PAYLOAD}` }) };
  git.commit({
    ...config,
    ...first,
    ...build('eve/yanked', '1.0.0'),
    ...build('eve/bad', '1.0.0'),
  });
  const yanked = { yanked: { '1.0.0': `\u202E${PAYLOAD}${'w'.repeat(150)}` } };
  git.commit({
    ...second,
    'builds/eve/owner.json': JSON.stringify({ account_id: 7, yanked: { yanked: yanked.yanked } }),
  });
  const { problems } = await makeSite(git, out);
  if (problems.failing.length > 0) throw new Error(JSON.stringify(problems.failing[0]));
  site = await openBrowserSite(out);
});

afterAll(async () => {
  await site.close();
  rmSync(folder, { recursive: true });
});

/** Elements and attributes that could run, load, style or send something. */
async function activeParts(page: Page): Promise<unknown> {
  return page.evaluate(`[...document.querySelectorAll('*')].flatMap((one) => [
    ...(/^(?:iframe|object|embed|base|style|math|video|audio|template|img)$/i.test(one.localName) ? [one.outerHTML] : []),
    ...[...one.attributes].filter(({ name }) => /^on|^style$|^srcdoc$/.test(name)).map(({ name }) => one.localName + ' ' + name),
    ...(one.href && typeof one.href === 'string' && !one.href.startsWith(location.origin) ? [one.href] : []),
    ...(one.localName === 'script' && !one.src.startsWith(location.origin) ? [one.outerHTML] : []),
  ])`);
}

describe.each([1_440, 320])('the source page of a hostile build at %i pixels', (width) => {
  it.each(Object.entries(VIEWS))('%s: runs and loads nothing', async (_, view) => {
    const { page, problems, leave } = await site.visit(sourceAddress(view), {
      viewport: { width, height: 900 },
    });
    await page.locator('.source-frame, .source-problem').waitFor();
    if (view.against !== undefined) await page.locator('.changes[data-compared]').waitFor();
    await page.waitForLoadState('networkidle');
    expect(problems).toEqual([]);
    expect(await activeParts(page)).toEqual([]);
    const turned = page.locator('main', { hasText: /[\u202A-\u202E\u2066-\u2069]/ });
    expect(await turned.count()).toBe(0);
    // The rules of axe take minutes for 5,000 links, which are all alike.
    const tree = page.locator('.trees');
    if ((await tree.count()) > 0) await tree.evaluate('(one) => one.remove()');
    // The narrow page differs in its width alone.
    const isLarge = view.file === 'src/min.js';
    expect(await (isLarge || width < 1_000 ? widthFaultsOf(page) : faultsOf(page))).toEqual([]);
    await leave();
  });
});

it('filters 5,000 files, of which it draws no more than 200', async () => {
  const { page, problems, leave } = await site.visit(sourceAddress(VIEWS['5,000 files']!));
  await page.getByLabel('Filter files').fill('part1');
  await expect.poll(() => page.locator('.tree-found li').count()).toBe(200);
  await page.getByLabel('Filter files').fill('file4999.ts');
  await expect.poll(() => page.locator('.tree-found li').count()).toBe(1);
  await page.locator('.tree-found a').click();
  await expect.poll(() => page.locator('.file-name').textContent()).toContain('file4999.ts');
  expect(problems).toEqual([]);
  await leave();
});

/** The one who holds the registry can also change the head: these have its digest. */
describe('a tarball with the digest of the head', () => {
  const file = (path: string) => ({ path, bytes: Buffer.from('x'), executable: false });
  it.each([
    [
      'that leaves its folder',
      () => packTarball([file('../../evil.ts')]),
      'unsafe path: traversal',
    ],
    ['of an absolute path', () => packTarball([file('/etc/passwd')]), 'unsafe path: absolute'],
    ['that hides a name', () => packTarball([file('a\u202Ecod.exe')]), 'unsafe path: invisible'],
    ['with a name that runs', () => packTarball([file(`${PAYLOAD}.ts`)]), 'unsafe path: character'],
    ['that is a bomb', () => gzipSync(Buffer.alloc(300_000_000)), 'it unpacks to over'],
    [
      'of too many files',
      () => packTarball(Array.from({ length: 10_001 }, (_, at) => file(`f${at}`))),
      'more than 10000 files',
    ],
    ['that is no archive', () => Buffer.from('<script>alert(1)</script>'), 'not a whole gzip file'],
    ['over 20 MB', () => Buffer.alloc(20_000_001), 'more than 20000000 bytes'],
  ])('%s is refused', async (_, make, problem) => {
    const bytes = make();
    const place = join(out, headPath('eve/bad'));
    const head = editHead(readFileSync(place), ({ versions }) => {
      for (const one of versions) one.integrity = integrityOf(bytes);
    });
    writeFileSync(place, head);
    writeFileSync(join(out, tarballPath('eve/bad', '1.0.0')), bytes);
    const { page, problems, leave } = await site.visit(
      sourceAddress({ id: 'eve/bad', version: '1.0.0' }),
    );
    await page.locator('.source-problem').waitFor();
    expect(await page.locator('.source-problem').innerText()).toContain(problem);
    expect(await page.locator('.file, .tree').count()).toBe(0);
    expect(await activeParts(page)).toEqual([]);
    expect(problems).toEqual([]);
    await leave();
  });
});

it('is accessible in light and dark, wide and narrow', async () => {
  const views = [
    { id: 'eve/yanked', version: '1.0.0' },
    { id: 'eve/yanked', version: '9.0.0' },
    { ...VIEWS['difference']! },
  ];
  for (const view of views) {
    const { page, leave } = await site.visit(sourceAddress(view));
    await page.locator('.source-frame, .source-problem').waitFor();
    expect(await faultsInAllViews(page)).toEqual([]);
    await leave();
  }
});

it('moves nothing while it loads', async () => {
  for (const view of [{ id: 'eve/yanked', version: '1.0.0' }, VIEWS['difference']!]) {
    const { page, leave } = await site.visit(sourceAddress(view), {
      viewport: { width: 360, height: 800 },
    });
    await page.locator('.source-frame').waitFor();
    await page.waitForLoadState('networkidle');
    const moved = await page.evaluate(`new Promise((done) => {
      new PerformanceObserver((list) => done(list.getEntries())).observe({ type: 'layout-shift', buffered: true });
      setTimeout(() => done([]), 500);
    }).then((all) => all.flatMap(({ sources }) => sources.map(({ node }) => String(node?.outerHTML).slice(0, 80))))`);
    expect(moved).toEqual([]);
    await leave();
  }
});
