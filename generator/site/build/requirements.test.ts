import { expect, it } from 'vitest';
import { buildView } from '../../../tests/site/build-view.ts';
import { linkFrom } from '../link.ts';
import { dependentsSection, requirementsSection } from './requirements.ts';

const PATH = 'builds/alice/web/index.html';
const link = linkFrom(PATH);

function manifestWith(changes: object) {
  const [{ manifest }] = buildView().records as [ReturnType<typeof buildView>['latest']];
  return buildView({ manifest: { ...manifest, ...changes } });
}

it('requirementsSection() names the builds that provide a tag, and leads to all', () => {
  const view = manifestWith({ stack: { requires: { express: '^5.0.0', node: '*', python: '*' } } });
  const named = { express: ['bob/start'], python: [] };
  const page = String(requirementsSection(view, view.latest, link, named));
  expect(page).toContain('provided by <a href="../../../builds/bob/start/">bob/start</a>, ');
  expect(page).toContain('<a href="../../../tags/express/">all that do</a>');
  expect(page).toContain('<a href="../../../tags/node/">builds that provide it</a>');
  expect(page.match(/must be in the project/g)).toHaveLength(1);
});

it('requirementsSection() shows each kind of requirement, escaped', () => {
  const view = manifestWith({
    builds: { 'bob/base': '^1.0.0' },
    dependencies: { npm: { '<b>': '1' }, pip: { flask: '>=3' } },
    stack: { provides: ['web'] },
  });
  const page = String(requirementsSection(view, view.latest, link, {}));
  expect(page).toContain('<a href="../../../builds/bob/base/">bob/base</a>');
  expect(page).toContain('&lt;b&gt;');
  expect(page).toContain('&gt;=3');
  expect(page).toContain('It provides');
  const bare = manifestWith({});
  expect(String(requirementsSection(bare, bare.latest, link, {}))).toContain('requires nothing');
});

it('dependentsSection() states how many it does not show', () => {
  const dependents = [{ id: 'bob/base', description: '<i>' }];
  const view = { ...buildView(), dependents, dependentCount: 1_234 };
  const page = String(dependentsSection(view, link));
  expect(page).toContain('And 1,233 more.');
  expect(page).toContain('&lt;i&gt;');
  expect(String(dependentsSection(buildView(), link))).toContain('No build of this registry');
});
