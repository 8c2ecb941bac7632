import { expect, it, test } from 'vitest';
import fc from 'fast-check';
import { SITE, buildView } from '../../../tests/site/build-view.ts';
import { renderMarkdown } from '../markdown/render-markdown.ts';
import { buildPage, buildData, safetyPanel, capabilityList } from './build-page.ts';
import { appealAddress } from '../../../format/registry/registry-config.ts';
import { linkFrom } from '../html.ts';
import { decisionOf } from './decision.ts';

const OPTIONS = { hasColours: false, prefix: 'readme-', level: 3, resolve: () => undefined };

function textsOf(text: string) {
  return { readme: renderMarkdown(text, OPTIONS), integration: undefined };
}

it('buildPage() leaves out the title of a README that is the name of the build', () => {
  const page = buildPage(SITE, buildView(), textsOf('# alice/web\n\n## Use\n'));
  expect(page.match(/<h1/g)).toHaveLength(1);
  expect(page).toContain('<h3 id="readme-use"');
  for (const title of ['web', 'Integrate alice/web', 'Integrate alice/web 1.1.0']) {
    const guide = { readme: undefined, integration: renderMarkdown(`# ${title}`, OPTIONS) };
    expect(buildPage(SITE, buildView(), guide)).not.toContain(`${title}</h3>`);
  }
  const other = buildPage(SITE, buildView(), textsOf('# Another title\n\n## Use\n'));
  expect(other).toContain('Another title</h3>');
  expect(other).toContain('<h4 id="readme-use"');
});

it('buildPage() has a panel with an address for each part, with counts, and none without a guide', () => {
  const texts = { readme: undefined, integration: undefined };
  const files = [{ path: 'a', size: 1 }];
  const page = buildPage(SITE, buildView({ files }), texts);
  const links = [
    ...page.matchAll(/<a href="#([a-z]+)">(\w+)(?: <span class="tab-count">(\d+)<\/span>)?<\/a>/g),
  ];
  expect(links.map(([, id, title, number]) => [id, title, number])).toEqual(
    expect.arrayContaining([
      ['readme', 'README', undefined],
      ['files', 'Files', '1'],
      ['versions', 'Versions', '2'],
      ['details', 'Details', undefined],
    ]),
  );
  for (const [, id] of links) expect(page).toContain(`id="${id}"`);
  expect(page).not.toContain('#guide');
  expect(page).toContain('This version has no README.');
});

const BLOCK = /^<script type="application\/ld\+json">([^<>&]*)<\/script>\n$/;

test('buildData() describes the build with public addresses', () => {
  const [, json = ''] = BLOCK.exec(String(buildData(SITE, buildView()))) ?? [];
  expect(JSON.parse(json)).toMatchObject({
    name: 'alice/web',
    version: '1.1.0',
    dateCreated: '2026-01-01T00:00:00.000Z',
    downloadUrl: 'https://registry.example/base/builds/alice/web/1.1.0.tgz',
  });
  expect(buildData({ ...SITE, address: '' }, buildView())).toBeUndefined();
});

test('no text of a publisher ends the block', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constant('</script><script>alert(1)</script>'),
  );
  fc.assert(
    fc.property(hostile, hostile, (description, keyword) => {
      const view = buildView({
        description,
        keywords: [keyword],
        license: description,
        repository: `https://x/${keyword}`,
      });
      const [, json = ''] = BLOCK.exec(String(buildData(SITE, view))) ?? [];
      expect(() => JSON.parse(json) as unknown).not.toThrow();
    }),
  );
});

const link = linkFrom('builds/alice/web/index.html');

function panel(...findings: readonly object[]): string {
  const found = findings.map((one) => ({
    level: 'warn' as const,
    code: 'agent-instructions',
    file: '',
    message: 'x',
    ...one,
  }));
  const view = buildView({ checks: { risk: 'caution', quality: 50, findings: found } });
  return String(safetyPanel(view, decisionOf(view), link));
}

test('safetyPanel() leads from a finding to its line and to what to do', () => {
  const text = panel({ file: 'src/a b.ts', message: 'Runs code (line 12)' });
  const address = 'source/?id=alice/web&amp;version=1.1.0#src/a%20b.ts:L12"';
  expect(text).toContain(`href="../../../${address}`);
  expect(text).toContain('href="../../../findings/#agent-instructions"');
});

test('safetyPanel() escapes files and messages, and knows findings of another version of the software', () => {
  const text = panel({ code: 'unknown-code', file: '"><script>', message: '<img src=x>' });
  expect(text).not.toMatch(/<script|<img/);
  expect(text).toContain('unknown-code');
});

test('safetyPanel() shows who accepted a finding, and where to appeal', () => {
  const waived = { reason: '<img src=x>', by: 'root', at: '2026-03-01' };
  const found = { level: 'warn' as const, code: 'agent-instructions', file: '', message: 'x' };
  const findings = [{ ...waived, code: found.code, file: found.file }];
  const view = {
    ...buildView({ checks: { risk: 'ok', quality: 50, findings: [found] } }),
    waivers: { id: 'alice/web', versions: [{ version: '1.1.0', findings }] },
  };
  const text = String(safetyPanel(view, decisionOf(view), link));
  expect(text).toContain('waivers.json');
  expect(text).toContain('Accepted by root on 2026-03-01');
  expect(text).not.toContain('<img');
  expect(text).not.toContain('Appeal');
  const address = appealAddress({
    repository: 'https://code.example/registry.git',
    code_host: undefined,
  });
  const shown = String(safetyPanel(view, decisionOf(view), link, address));
  expect(shown).toContain('href="https://code.example/registry/issues/new?template=appeal.yml"');
});

test('safetyPanel() has a bound', () => {
  const text = panel(...Array.from({ length: 1_000 }, () => ({})));
  expect(text.match(/<li>/g)).toHaveLength(200);
  expect(text).toContain('And 800 findings more');
});

const NONE = {
  hosts: [],
  environment: [],
  reads: [],
  writes: [],
  processes: [],
  dynamic_code: false,
  unread: [],
};

it('capabilityList() is words, with names escaped and bounded', () => {
  expect(String(capabilityList(NONE))).toContain('Its code sends nothing');
  const hosts = ['*', '<evil>', ...Array.from({ length: 40 }, (_, at) => `h${at}.example`)];
  const list = String(capabilityList({ ...NONE, hosts, dynamic_code: true }));
  expect(list).toContain('any address that it is given');
  expect(list).toContain('<code>&lt;evil&gt;</code>');
  expect(list).toContain(' and 12 more');
  expect(list).toContain('code that it makes while it runs');
});
