import { expect, it, test } from 'vitest';
import type { MatrixRow } from '../../../format/index/compatibility.ts';
import { SITE, buildView } from '../../../tests/site/build-view.ts';
import { linkFrom } from '../link.ts';
import type { BuildView } from './build-view.ts';
import { requirementCount, requirementsPanel } from './requirements.ts';
import { labelLinks } from '../labels.ts';

const link = linkFrom('builds/alice/web/index.html');
const panel = (view: BuildView): string => String(requirementsPanel(SITE, view, link));

function manifestWith(changes: object): BuildView {
  const { manifest } = buildView().latest;
  return buildView({ manifest: { ...manifest, ...changes } });
}

it('requirementsPanel() names the builds that provide a tag, and leads to all', () => {
  const view = manifestWith({ stack: { requires: { express: '^5.0.0', node: '*', python: '*' } } });
  const page = panel({ ...view, providers: { express: ['bob/start'], python: [] } });
  expect(page).toContain('provided by <a href="../../../builds/bob/start/">bob/start</a>, ');
  expect(page).toContain('<a href="../../../tags/express/">all that do</a>');
  expect(page).toContain('<a href="../../../tags/node/">builds that provide it</a>');
  expect(page.match(/must be in the project/g)).toHaveLength(1);
});

it('requirementsPanel() shows each kind of requirement, escaped', () => {
  const view = manifestWith({
    builds: { 'bob/base': '^1.0.0' },
    dependencies: { npm: { '<b>': '1' }, pip: { flask: '>=3' } },
    stack: { provides: ['web'] },
  });
  const page = panel(view);
  expect(page).toContain('<a href="../../../builds/bob/base/">bob/base</a>');
  expect(page).toContain('&lt;b&gt;');
  expect(page).toContain('&gt;=3');
  expect(page).toContain('Provides');
  expect(requirementCount(view)).toBe(3);
  expect(panel(manifestWith({}))).toContain('requires nothing');
});

it('requirementsPanel() states how many dependents it does not show', () => {
  const dependents = [{ id: 'bob/base', description: '<i>' }];
  const page = panel({ ...buildView(), dependents, dependentCount: 1_234 });
  expect(page).toContain('And 1,233 more.');
  expect(page).toContain('&lt;i&gt;');
  expect(panel(buildView())).not.toContain('Builds that require it');
});

it('requirementsPanel() shows what each variable is, escaped', () => {
  const env = { TOKEN: { description: '<b>', example: '<i>', required: true }, PORT: {} };
  const text = panel(manifestWith({ env }));
  expect(text).toMatch(/TOKEN<\/code>[\s\S]*required[\s\S]*&lt;b&gt;[\s\S]*&lt;i&gt;/);
  expect(text).toMatch(/PORT<\/code>[\s\S]*optional/);
});

const DAY = '2026-11-23';
const GOOD: MatrixRow = {
  tag: 'express',
  version: '5.3.0',
  others: 'newest',
  with: {},
  outcome: 'ok',
  date: DAY,
  since: DAY,
};
const BAD: MatrixRow = {
  ...GOOD,
  version: '6.0.0',
  outcome: 'failed',
  step: 'types',
  error: ['error TS1: <b>no</b>'],
};

it('requirementsPanel() has a cell for each measured version, and the error of those that failed as text', () => {
  const view = buildView();
  const compatibility = { id: view.id, versions: [{ version: '1.1.0', results: [GOOD, BAD] }] };
  const text = panel({ ...view, compatibility });
  expect(text).toMatch(/class="good"[^>]*>5\.3\.0[\s\S]*class="bad"[^>]*>6\.0\.0/);
  expect(text).toContain('express 6.0.0: type check');
  expect(text).toContain('error TS1: &lt;b&gt;no&lt;/b&gt;');
  expect(text).not.toContain('<b>');
  expect(text).toContain('compatibility.json');
  expect(text).not.toContain('not the latest');
  const older = { id: view.id, versions: [{ version: '1.0.0', results: [GOOD] }] };
  expect(panel({ ...view, compatibility: older })).toContain('Version 1.0.0, not the latest');
  const none = { id: view.id, versions: [{ version: '1.1.0', results: [] }] };
  expect(panel({ ...view, compatibility: none })).not.toContain('Measured');
});

const labelLinkLink = linkFrom('builds/alice/web/index.html');

test('labelLinks() leads to pages of tags and searches for keywords, while the build can be installed', () => {
  const view = buildView();
  const label = labelLinks(view, labelLinkLink);
  expect(String(label('keyword', ' REST Api '))).toContain(
    'href="../../../search/?keyword=rest+api"',
  );
  expect(String(label('tag', '@a/b'))).toContain('href="../../../tags/~40a~2Fb/"');
  expect(String(label('tag', 'x'.repeat(300)))).not.toContain('href');
  const versions = view.head.versions.map((one) => ({
    ...one,
    status: { is: 'yanked' as const, reason: 'Broken' },
  }));
  const yanked = { ...view, head: { ...view.head, versions } };
  expect(String(labelLinks(yanked, labelLinkLink)('tag', 'a'))).not.toContain('href');
});
