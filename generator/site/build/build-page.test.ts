import { expect, it } from 'vitest';
import { SITE, buildView } from '../../../tests/site/build-view.ts';
import { renderMarkdown } from '../markdown/render-markdown.ts';
import { buildPage, versionPage } from './build-page.ts';

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

it('buildPage() states that there is no README', () => {
  const page = buildPage(SITE, buildView(), { readme: undefined, integration: undefined });
  expect(page).toContain('This version has no README.');
});

it('versionPage() sends search engines to the page of the build, and names no providers', () => {
  const view = { ...buildView(), providers: { express: ['bob/start'] } };
  const { manifest } = view.latest;
  const record = {
    ...view.latest,
    manifest: { ...manifest, stack: { requires: { express: '*' } } },
  };
  const texts = textsOf('x');
  const own = versionPage(SITE, view, record, texts);
  expect(own).toContain('canonical" href="https://registry.example/base/builds/alice/web/"');
  expect(own).not.toContain('bob/start');
  expect(own).not.toContain('id="dependents"');
  expect(buildPage(SITE, { ...view, latest: record }, texts)).toContain('bob/start');
  const old = versionPage(SITE, view, view.records[1]!, texts);
  expect(old).toContain('noindex');
});
