/** Every kind of page in a browser, of builds that try to break them: light and dark, on a telephone, a wide screen and one zoomed to 400 %. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faultsInAllViews, openBrowserSite, plainFaultsOf } from './browser-site.ts';
import type { BrowserSite } from './browser-site.ts';
import { fullRepository, makeSite } from './site-fixture.ts';

const KINDS = {
  home: '',
  build: 'builds/alice/web/',
  deprecated: 'builds/bob/old/',
  yanked: 'builds/bob/start/',
  files: 'builds/alice/web/#files',
  versions: 'builds/alice/web/#versions',
  requirements: 'builds/alice/web/#requirements',
  safety: 'builds/alice/web/#safety',
  details: 'builds/bob/base/#details',
  advisories: 'advisories/',
  advisory: 'advisories/x_TEST-2026-0001/',
  owner: 'owners/bob/',
  tag: 'tags/express/',
  tags: 'tags/',
  search: 'search/?q=web',
  'search without a result': 'search/?q=nothing-like-it',
  findings: 'findings/',
  publish: 'publish/',
  verify: 'verify/',
  missing: 'nothing/here',
} as const;

const folder = mkdtempSync(join(tmpdir(), 'stackyard-browser-'));
let site: BrowserSite;

beforeAll(async () => {
  mkdirSync(join(folder, 'repository'));
  const git = fullRepository(join(folder, 'repository'));
  // Without an address the 404 page begins at the root of the host, as this server does.
  git.commit({ 'registry.config.json': JSON.stringify({ name: 'Test & Co' }) });
  const out = join(folder, 'index');
  await makeSite(git, out);
  site = await openBrowserSite(out);
});

afterAll(async () => {
  await site.close();
  rmSync(folder, { recursive: true });
});

describe('in light and dark, wide and narrow', () => {
  it.each(Object.entries(KINDS))(
    '%s: accessible, no wider than the screen, no errors',
    async (_, path) => {
      const { page, problems, leave } = await site.visit(path);
      expect(await faultsInAllViews(page)).toEqual([]);
      expect(problems).toEqual([]);
      await leave();
    },
  );

  it('are readable without JavaScript', async () => {
    for (const path of Object.values(KINDS)) {
      const { page, problems, leave } = await site.visit(path, { javaScriptEnabled: false });
      expect([path, ...(await plainFaultsOf(page)), ...problems]).toEqual([path]);
      await leave();
    }
  });
});

describe('a telephone', () => {
  it.each(Object.entries(KINDS))('%s: moves nothing while it loads', async (_, path) => {
    const view = { viewport: { width: 360, height: 800 } };
    const { page, leave } = await site.visit(path, view);
    await page.waitForLoadState('networkidle');
    const moved = await page.evaluate(`new Promise((done) => {
      new PerformanceObserver((list) => done(list.getEntries())).observe({ type: 'layout-shift', buffered: true });
      setTimeout(() => done([]), 300);
    }).then((all) => all.flatMap(({ sources }) => sources.map(({ node }) => String(node?.outerHTML).slice(0, 80))))`);
    expect(moved).toEqual([]);
    await leave();
  });
});

describe('a keyboard alone', () => {
  it.each(Object.entries(KINDS))('%s: reaches all links in their order', async (_, path) => {
    const { page, leave } = await site.visit(path);
    // Results of a search replace the list.
    await page.waitForLoadState('networkidle');
    const all =
      (await page.evaluate(`[...document.querySelectorAll('a[href], button, input, select, pre[tabindex], [role=region][tabindex]')]
      .filter((one) => one.tabIndex >= 0 && one.checkVisibility({ visibilityProperty: true }) && !one.closest('dialog'))
      .length`)) as number;
    // Of an address with a fragment the keyboard begins there.
    await page.evaluate('document.body.tabIndex = -1; document.body.focus()');
    const stops = new Set<unknown>();
    for (let press = 0; press < Math.min(all, 60); press += 1) {
      await page.keyboard.press('Tab');
      stops.add(
        await page.evaluate(`(() => {
          const one = document.activeElement;
          if (one === document.body) return -1;
          const { outlineStyle } = getComputedStyle(one);
          const at = [...document.querySelectorAll('*')].indexOf(one);
          return outlineStyle === 'none' ? 'no ring: ' + one.outerHTML.slice(0, 100) : at;
        })()`),
      );
    }
    expect([...stops].filter((stop) => typeof stop === 'string')).toEqual([]);
    const places = ([...stops] as number[]).filter((at) => at >= 0);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    // Radio buttons are one stop, and the body may be between the last and the first.
    expect(places.length).toBeGreaterThan(Math.min(all, 60) - 4);
    await leave();
  });
});
