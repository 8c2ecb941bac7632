/** Lists of tags and of keywords with their numbers of builds. */
import { labelFolder } from '../../../format/index/site-path.ts';
import { countOf } from '../figures.ts';
import { html, plain } from '../html.ts';
import type { Html } from '../html.ts';
import { linkFrom } from '../link.ts';
import type { Link } from '../link.ts';
import { renderPage } from '../shell/page.ts';
import type { Site } from '../site.ts';
import { lowerCase } from '../../../format/unicode.ts';

export interface LabelCount {
  readonly name: string;
  readonly count: number;
}

/** Labels that the page of all of them shows. */
export const MAX_LABELS = 2_000;

/** Labels as links, each with its number. */
export function labelLinks(
  kind: 'tag' | 'keyword',
  labels: readonly LabelCount[],
  link: Link,
): Html {
  const items = labels.flatMap(({ name, count }) => {
    const folder = labelFolder(kind, name);
    if (folder === undefined) return [];
    return [
      html`<a class="label" href="${link(`${folder}index.html`)}">${plain(name.slice(0, 80))} <span class="label-count">${count}</span></a>\n`,
    ];
  });
  return html`<p class="labels">${items}</p>`;
}

/** The page of all tags or all keywords. */
export function labelsPage(
  site: Site,
  kind: 'tag' | 'keyword',
  labels: readonly LabelCount[],
): string {
  const section = kind === 'tag' ? 'tags' : 'keywords';
  const path = `${section}/index.html`;
  const title = kind === 'tag' ? 'Stack tags' : 'Keywords';
  const main = html`<main id="main">
<h1>${title}</h1>
<p class="lead">${countOf(labels.length, kind)}, by number of builds.</p>
<div class="block-gap">${labelLinks(kind, labels, linkFrom(path))}</div>
</main>`;
  const description = `All ${lowerCase(title)} of ${site.name}.`;
  return renderPage(site, { path, kind, title, description, twin: `${section}/index.md`, main });
}
