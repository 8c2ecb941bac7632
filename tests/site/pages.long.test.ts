/** The pages of a registry: complete, safe, linked, the same from every run. */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseIndexPath } from '../../format/index/layout.ts';
import { build, temporaryFolder } from '../generate/git-fixture.ts';
import { readTree } from '../generate/index-reader.ts';
import { runCommand } from '../run/generator-command.ts';
import { brokenLinks } from './broken-links.ts';
import { htmlFaults } from './html-faults.ts';
import { config, filesOf, fullRepository, makeSite, read } from './site-fixture.ts';

describe('the pages of a registry', () => {
  let out = '';
  let pages: string[] = [];

  const folder = mkdtempSync(join(tmpdir(), 'stackyard-site-'));

  beforeAll(async () => {
    mkdirSync(join(folder, 'repository'));
    out = join(folder, 'index');
    await makeSite(fullRepository(join(folder, 'repository')), out);
    pages = filesOf(out, '.html');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('are there for every build, owner, tag and advisory, and no file of a publisher is one', () => {
    expect(pages).toEqual(
      expect.arrayContaining([
        '404.html',
        'advisories/x_TEST-2026-0001/index.html',
        'advisories/index.html',
        'builds/alice/web/index.html',
        'findings/index.html',
        'index.html',
        'owners/alice/index.html',
        'publish/index.html',
        'search/index.html',
        'source/index.html',
        'tags/express/index.html',
        'tags/~40scope~2Fweb/index.html',
        'verify/index.html',
      ]),
    );
    expect(filesOf(out).filter((path) => parseIndexPath(path) === undefined)).toEqual([]);
    expect(pages.filter((path) => path.startsWith('builds/'))).toHaveLength(4);
  });

  it('have twins that they name', () => {
    for (const page of pages) {
      const twin = /rel="alternate" type="text\/markdown" href="([^"]+)"/.exec(
        read(out, page),
      )?.[1];
      if (twin === undefined) continue;
      expect(existsSync(join(out, page, '..', twin)), `${page} names ${twin}`).toBe(true);
    }
  });

  it('hold no script, handler, frame or style of a publisher', () => {
    for (const page of pages) {
      const text = read(out, page);
      expect(text, page).not.toMatch(
        /<script(?! src="[./]|(?: type="module" src="[./])| type="application\/ld\+json")/,
      );
      expect(text, page).not.toMatch(
        /<(?:iframe|object|embed|base|style)[\s>]|<[a-z][^>"]*\son\w+=|style="/i,
      );
      expect(text, page).not.toContain('\u202E');
      const data = /<script type="application\/ld\+json">([\s\S]*?)<\/script>/.exec(text)?.[1];
      if (data !== undefined) expect(JSON.parse(data)).toHaveProperty('@type');
    }
  });

  it('put a known fault first, wherever the version is shown', () => {
    const page = read(out, 'builds/bob/base/index.html');
    const line = page.indexOf('Known fault, severity high: Rows are lost');
    expect(line).toBeGreaterThan(0);
    expect(line).toBeLessThan(page.indexOf('<dt>Writes'));
    expect(page).not.toContain('mark-ok');
    for (const path of ['builds/bob/base/index.md', 'owners/bob/index.html', 'index.html']) {
      expect(read(out, path), path).toContain('x_TEST-2026-0001');
    }
    expect(read(out, 'builds/bob/base/badge.svg')).toContain('known fault');
    expect(read(out, 'advisories/index.html')).toContain('x_TEST-2026-0001/');
    expect(read(out, 'advisories/x_TEST-2026-0001/index.html')).toContain('no version');
    const found = filesOf(join(out, 'catalog'), '.json').map((path) =>
      read(out, `catalog/${path}`),
    );
    expect(found.filter((text) => text.includes('"advisories":["x_TEST-2026-0001"]'))).toHaveLength(
      1,
    );
  });

  it('escape hostile text in feeds, badges and twins', () => {
    for (const path of [...filesOf(out, '.xml'), ...filesOf(out, '.svg')]) {
      expect(read(out, path), path).not.toMatch(/<script>|<img/);
    }
    expect(read(out, 'feed.xml')).toContain('<title>alice/web 1.1.0</title>');
    expect(read(out, 'builds/alice/web/index.md')).not.toContain('\u202E');
  });

  it('lead nowhere that is not there', () => {
    // Without a client in this index; a deprecated build may name any other.
    const broken = brokenLinks(out, pages).filter((one) => !one.includes('client/'));
    expect(broken).toEqual([]);
  });

  it('are valid HTML', async () => {
    expect(await htmlFaults(out, pages)).toEqual([]);
  });

  it('name what is yanked, deprecated and required', () => {
    expect(read(out, 'builds/bob/start/index.html')).toContain('Version 1.0.0 is yanked:');
    expect(read(out, 'builds/bob/old/index.html')).toContain('Deprecated: Unmaintained');
    expect(read(out, 'builds/bob/base/index.html')).toContain('alice/web</a>');
    expect(read(out, 'builds/bob/base/index.html')).toContain('3 of 4 reports');
    const home = read(out, 'index.html');
    expect(home).not.toContain('bob/start');
    expect(home).not.toContain('bob/old');
    expect(home).toContain('bob/base');
  });
});

describe('an incremental run', () => {
  it('gives the pages of a full one, byte for byte, and writes no others', async () => {
    const git = fullRepository();
    const out = join(temporaryFolder(), 'index');
    await makeSite(git, out);
    const changes = [
      build('carol/new', '1.0.0', {
        keywords: ['rest API'],
        stack: { requires: { express: '*' } },
      }),
      build('alice/web', '1.2.0', { stack: { provides: ['other'] } }),
      { 'builds/bob/owner.json': JSON.stringify({ account_id: 7 }) },
      {
        'signals/alice/web.json': JSON.stringify({
          downloads: 5,
          updated_at: '2026-05-01T00:00:00.000Z',
        }),
      },
      build('alice/web', '1.1.5', { builds: { 'carol/new': '^1.0.0' } }),
    ];
    for (const files of changes) {
      git.commit(files);
      const before = readTree(out);
      const report = await makeSite(git, out);
      expect(report.isFull).toBe(false);
      const full = makeSite(git);
      await full;
      const now = readTree(out);
      expect(now).toEqual(readTree(full.out));
      const changed = Object.keys(now).filter(
        (path) => now[path] !== before[path] && path.endsWith('.html'),
      );
      expect(report.pages).toBeGreaterThanOrEqual(changed.length);
      expect(changed.filter((path) => path.startsWith('builds/bob/old/'))).toEqual(
        'builds/bob/owner.json' in files ? expect.any(Array) : [],
      );
      // Its provider can be installed again.
      if ('builds/bob/owner.json' in files) {
        expect(changed).toContain('builds/carol/new/index.html');
        expect(read(out, 'builds/carol/new/index.html')).toContain('provided by');
        expect(read(out, 'builds/carol/new/index.md')).toContain(
          '`express` *, provided by bob/start',
        );
      }
    }
  });

  it('removes pages of tags that no build has any more, and all pages when they are left out', async () => {
    const git = fullRepository();
    const out = join(temporaryFolder(), 'index');
    await makeSite(git, out);
    git.commit(build('alice/web', '1.2.0', { stack: { provides: ['only'] } }));
    await makeSite(git, out);
    expect(existsSync(join(out, 'tags/only/index.html'))).toBe(true);
    git.commit(build('alice/web', '1.3.0'));
    await makeSite(git, out);
    expect(existsSync(join(out, 'tags/only/index.html'))).toBe(false);
    git.commit(config({ site: false }));
    await makeSite(git, out);
    expect(filesOf(out, '.html')).toEqual([]);
    expect(existsSync(join(out, 'assets'))).toBe(false);
  });
});

it('npm run generate makes them, unless it gets --no-site', async () => {
  const git = fullRepository();
  const made = makeSite(git);
  await made;
  const [out, bare] = [join(temporaryFolder(), 'index'), join(temporaryFolder(), 'bare')];
  const args = ['--repo', git.folder, '--no-client', '--threads', '1', '--out'];
  expect((await runCommand('generate', [...args, out])).stdout).toContain('pages: ');
  expect(readTree(out)).toEqual(readTree(made.out));
  await runCommand('generate', [...args, bare, '--no-site']);
  expect([filesOf(bare, '.html'), filesOf(bare, '.md')]).toEqual([[], []]);
});

describe('a build of unusual size', () => {
  it('has pages within their bounds', async () => {
    const git = fullRepository();
    const many = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, at) => [`src/f${at}.txt`, `${at}\n`]),
    );
    git.commit({
      ...build(
        'dave/large',
        '1.0.0',
        {},
        {
          ...many,
          'README.md': `# x\n\n${'[a](https://a.example) '.repeat(10_000)}\n`,
          'src/long.ts': `${'export const value = 1;\n'.repeat(40_000)}`,
        },
      ),
    });
    const site = makeSite(git);
    await site;
    const size = (path: string): number => gzipSync(read(site.out, path)).length;
    expect(size('builds/dave/large/index.html')).toBeLessThan(60_000);
    expect(read(site.out, 'builds/dave/large/index.html')).toContain('this is its beginning');
  });
});
