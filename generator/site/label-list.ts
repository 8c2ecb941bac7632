/** Lists of tags and of keywords with their numbers of builds. */
import { labelAddress } from './build/requirements.ts';
import { countOf } from './figures.ts';
import { html, plain, type Html } from './html.ts';
import { linkFrom, type Link } from './link.ts';
import { renderPage } from './page.ts';
import type { Site } from './site.ts';

export interface LabelCount {
  readonly name: string;
  readonly count: number;
}

/** Labels that the page of all of them shows. */
export const MAX_LABELS = 2_000;

/** Labels as links, each with its number. */
export function labelList(
  kind: Parameters<typeof labelAddress>[0],
  labels: readonly LabelCount[],
  link: Link,
): Html {
  const items = labels.flatMap(({ name, count }) => {
    const address = labelAddress(kind, name, link);
    if (address === undefined) return [];
    return [
      html`<a class="label" href="${address}">${plain(name.slice(0, 80))} <span class="label-count">${count}</span></a>\n`,
    ];
  });
  return html`<p class="labels">${items}</p>`;
}

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
