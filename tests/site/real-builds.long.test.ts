/** The site of this repository's own builds: complete, valid, without a broken link, accessible, and readable everywhere. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { clientPackage } from '../../generator/client-package/client-package.ts';
import { generate } from '../../generator/pipeline/pipeline.ts';
import { brokenLinks } from './broken-links.ts';
import { faultsInAllViews, openBrowserSite, plainFaultsOf } from './browser-site.ts';
import type { BrowserSite } from './browser-site.ts';
import { htmlFaults } from './html-faults.ts';
import { filesOf, read } from './site-fixture.ts';

const KINDS = {
  home: '',
  foundation: 'builds/stackyard/express-api/',
  module: 'builds/stackyard/account/',
  files: 'builds/stackyard/account/#files',
  versions: 'builds/stackyard/account/#versions',
  requirements: 'builds/stackyard/account/#requirements',
  safety: 'builds/stackyard/account/#safety',
  details: 'builds/stackyard/account/#details',
  advisories: 'advisories/',
  owner: 'owners/stackyard/',
  tag: 'tags/typescript/',
  search: 'search/?q=sqlite',
  findings: 'findings/',
  publish: 'publish/',
  verify: 'verify/',
} as const;

const folder = mkdtempSync(join(tmpdir(), 'stackyard-real-'));
const out = join(folder, 'index');
let pages: readonly string[] = [];
let site: BrowserSite;

beforeAll(async () => {
  const repo = join(import.meta.dirname, '../..');
  await generate({ repo, out, client: await clientPackage(), pages: true });
  pages = filesOf(out, '.html');
  site = await openBrowserSite(out);
});

afterAll(async () => {
  await site.close();
  rmSync(folder, { recursive: true });
});

it('has no broken link, asset or anchor', () => {
  expect(pages.length).toBeGreaterThan(20);
  expect(brokenLinks(out, pages)).toEqual([]);
});

it('is valid HTML', async () => {
  expect(await htmlFaults(out, pages)).toEqual([]);
});

it('keeps the page of a build within 60 kB, with all that it loads', () => {
  for (const page of pages.filter((path) => /^builds\/[^/]+\/[^/]+\/index\.html$/.test(path))) {
    const text = read(out, page);
    const loaded = [...text.matchAll(/(?:src|href)="(?:\.\.\/)+(assets\/[^"]+)"/g)];
    const bytes = [...new Set(loaded.map(([, path = '']) => path))].map((path) =>
      path.endsWith('.woff2') ? statSync(join(out, path)).size : gzipSync(read(out, path)).length,
    );
    const all = bytes.reduce((sum, one) => sum + one, gzipSync(text).length);
    expect(all, page).toBeLessThan(60_000);
  }
});

it.each(Object.entries(KINDS))(
  '%s: accessible and without errors in all views, readable without JavaScript',
  async (_, path) => {
    const { page, problems, leave } = await site.visit(path);
    expect(await faultsInAllViews(page)).toEqual([]);
    expect(problems).toEqual([]);
    await leave();
    const plain = await site.visit(path, { javaScriptEnabled: false });
    expect([...(await plainFaultsOf(plain.page)), ...plain.problems]).toEqual([]);
    await plain.leave();
  },
);
