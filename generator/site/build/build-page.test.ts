import { expect, it } from 'vitest';
import { SITE, buildView } from '../../../tests/site/build-view.ts';
import { renderMarkdown } from '../markdown/render-markdown.ts';
import { buildPage } from './build-page.ts';

const OPTIONS = { prefix: 'readme-', level: 3, resolve: () => undefined };

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
