/** The page of a stack tag or of a keyword: the builds that have it, best first. */
import type { BuildSummary } from '../../../format/index/catalog.ts';
import { buildList } from '../build/build-row.ts';
import { count, countOf } from '../figures.ts';
import { html, plain } from '../html.ts';
import type { Html } from '../html.ts';
import { linkFrom } from '../link.ts';
import type { Link } from '../link.ts';
import { renderPage } from '../shell/page.ts';
import type { Site } from '../site.ts';

/** Builds that one list shows; search finds the others. */
export const LABEL_BUILDS = 100;

/** The best builds with a label, and how many there are. */
export interface LabelledBuilds {
  readonly builds: readonly BuildSummary[];
  readonly count: number;
}

/** @param folder of the page */
export function tagPage(
  site: Site,
  folder: string,
  tag: string,
  { provide, require }: { readonly provide: LabelledBuilds; readonly require: LabelledBuilds },
): string {
  const path = `${folder}index.html`;
  const link = linkFrom(path);
  const main = html`<main id="main">
<h1>${tag}</h1>
<p class="lead">Builds that add ${tag} to a project, and builds for projects that have it.</p>
<div class="block-gap">${block('Provide it', 'provide', provide, link)}${block('Require it', 'require', require, link)}</div>
</main>`;
  return renderPage(site, {
    path,
    kind: 'tag',
    title: tag,
    description: `Builds of ${site.name} that provide or require ${tag}.`,
    twin: `${folder}index.md`,
    main,
  });
}

/** @param folder of the page */
export function keywordPage(
  site: Site,
  folder: string,
  keyword: string,
  found: LabelledBuilds,
): string {
  const path = `${folder}index.html`;
  const link = linkFrom(path);
  const name = plain(keyword.slice(0, 120));
  const main = html`<main id="main">
<h1 class="bidi">${name}</h1>
<p class="lead">${countOf(found.count, 'build')} with this keyword.</p>
<div class="block-gap">${buildList(found.builds, link)}${restNote(found)}</div>
</main>`;
  return renderPage(site, {
    path,
    kind: 'keyword',
    title: name,
    description: `Builds of ${site.name} with the keyword ${name}.`,
    twin: `${folder}index.md`,
    main,
  });
}

function block(title: string, id: string, found: LabelledBuilds, link: Link): Html {
  return html`<section class="block" aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${buildList(found.builds, link) ?? html`<p class="quiet">No build does.</p>`}${restNote(found)}
</section>`;
}

function restNote({ builds, count: all }: LabelledBuilds): Html | undefined {
  if (all <= builds.length) return undefined;
  return html`<p class="quiet block-gap">These are the best ${builds.length} of ${count(all)}: search to find others.</p>`;
}
