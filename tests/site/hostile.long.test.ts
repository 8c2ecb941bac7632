/** Pages of a build that tries to run something, in a browser: nothing runs, nothing is loaded from elsewhere, the layout holds. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GitFixture } from '../generate/git-fixture.ts';
import { faultsOf, openBrowserSite } from './browser-site.ts';
import type { BrowserSite } from './browser-site.ts';
import { HOSTILE_ID, hostileBuilds } from './hostile-build.ts';
import { filesOf, makeSite, read } from './site-fixture.ts';

const PAGES = {
  home: '',
  build: `builds/${HOSTILE_ID}/`,
  guide: `builds/${HOSTILE_ID}/#guide`,
  files: `builds/${HOSTILE_ID}/#files`,
  requirements: `builds/${HOSTILE_ID}/#requirements`,
  safety: `builds/${HOSTILE_ID}/#safety`,
  details: `builds/${HOSTILE_ID}/#details`,
  owner: 'owners/eve/',
  keyword: 'search/?keyword=javascript%3Aalert%281%29',
  search: 'search/?q=trap',
} as const;

const folder = mkdtempSync(join(tmpdir(), 'stackyard-hostile-'));
const out = join(folder, 'index');
let site: BrowserSite;

beforeAll(async () => {
  mkdirSync(join(folder, 'repository'));
  const git = new GitFixture(join(folder, 'repository'));
  for (const files of hostileBuilds()) git.commit(files);
  const { problems } = await makeSite(git, out);
  // Without them there would be nothing to see.
  if (problems.failing.length > 0) throw new Error(JSON.stringify(problems.failing[0]));
  site = await openBrowserSite(out);
});

afterAll(async () => {
  await site.close();
  rmSync(folder, { recursive: true });
});

describe.each([1_440, 360])('pages of a hostile build at %i pixels', (width) => {
  it.each(Object.entries(PAGES))('%s: runs and loads nothing', async (_, path) => {
    const { page, problems, leave } = await site.visit(path, { viewport: { width, height: 900 } });
    // Whatever waits for an event of the reader.
    for (const one of await page.locator('main summary, main img').all()) {
      await one.dispatchEvent('mouseover');
      await one.dispatchEvent('error');
    }
    await page.waitForLoadState('networkidle');
    expect(problems).toEqual([]);
    expect(page.url()).toBe(site.address + path);
    const active = (await page.evaluate(`[...document.querySelectorAll('*')].flatMap((one) => [
      ...(/^(?:iframe|object|embed|base|style|math|video|audio|template)$/i.test(one.localName) ? [one.outerHTML] : []),
      ...[...one.attributes].filter(({ name }) => /^on|^style$|^srcdoc$/.test(name)).map(({ name }) => one.localName + ' ' + name),
      ...(one.href && !/^(?:https?|mailto):/.test(one.href) && typeof one.href === 'string' ? [one.href] : []),
      ...(one.action && typeof one.action === 'string' && !one.action.startsWith(location.origin) ? [one.action] : []),
    ])`)) as string[];
    expect(active).toEqual([]);
    expect(await faultsOf(page)).toEqual([]);
    await leave();
  });
});

it('keeps every page within its budget', () => {
  const large = filesOf(out, '.html')
    .map((path) => [path, gzipSync(read(out, path)).length] as const)
    .filter(([, bytes]) => bytes > 60_000);
  expect(large).toEqual([]);
});
