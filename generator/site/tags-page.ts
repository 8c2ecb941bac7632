/** The page of all stack tags, and its twin in Markdown. */
import { countOf } from './figures.ts';
import { html } from './html.ts';
import { labelList, type LabelCount } from './labels.ts';
import { linkFrom } from './link.ts';
import { renderPage } from './page.ts';
import type { Site } from './site.ts';
import { tagFolder } from '../../format/index/site-path.ts';
import { plain } from './visible-text.ts';

/** The page of all stack tags. */
export function tagsPage(site: Site, tags: readonly LabelCount[]): string {
  const path = 'tags/index.html';
  const main = html`<main id="main">
<h1>Stack tags</h1>
<p class="lead">${countOf(tags.length, 'tag')}, by number of builds.</p>
<div class="block-gap">${labelList('tag', tags, linkFrom(path))}</div>
</main>`;
  const description = `All stack tags of ${site.name}.`;
  return renderPage(site, {
    path,
    kind: 'tag',
    title: 'Stack tags',
    description,
    twin: 'tags/index.md',
    main,
  });
}

/** @param path of the twin */
export function tagsTwin(path: string, tags: readonly LabelCount[]): string {
  const link = linkFrom(path);
  const items = tags.flatMap(({ name, count }) => {
    const folder = tagFolder(name);
    return folder === undefined
      ? []
      : [`- [${plain(name)}](${link(`${folder}index.md`)}): ${count}`];
  });
  return `# Stack tags\n\n${items.join('\n')}\n`;
}
