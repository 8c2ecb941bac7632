/** The page of a stack tag: the builds that bring it and those that need it, best first. */
import type { BuildSummary } from '../../../format/index/catalog.ts';
import { buildList } from '../build/build-row.ts';
import { count } from '../figures.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { linkFrom } from '../link.ts';
import type { Link } from '../link.ts';
import { renderPage } from '../shell/page.ts';
import type { Site } from '../site.ts';

/** Builds that one list shows; search finds the others. */
export const TAG_BUILDS = 100;

/** The best builds of a list, and how many there are. */
export interface TaggedBuilds {
  readonly builds: readonly BuildSummary[];
  readonly count: number;
}

export interface TaggedLists {
  /** Modules and foundations that state it in `stack.provides`. */
  readonly provide: TaggedBuilds;
  /** Foundations whose own packages are it. */
  readonly bring: TaggedBuilds;
  readonly require: TaggedBuilds;
}

/** @param folder of the page */
export function tagPage(
  site: Site,
  folder: string,
  tag: string,
  { provide, bring, require }: TaggedLists,
): string {
  const path = `${folder}index.html`;
  const link = linkFrom(path);
  const blocks = [
    block('Foundations that start a project with it', 'bring', bring, link),
    block('Builds that add it', 'provide', provide, link),
    block('Builds for projects that have it', 'require', require, link),
  ];
  const isNone = blocks.every((one) => one === undefined);
  const main = html`<main id="main">
<h1>${tag}</h1>
<p class="lead">Builds that bring ${tag} to a project, and builds for projects that have it.</p>
<div class="block-gap">${blocks}${isNone ? html`<p class="quiet">No build does. <a href="${link('search/index.html')}">Search all builds.</a></p>` : ''}</div>
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

/** Nothing without builds. */
function block(title: string, id: string, found: TaggedBuilds, link: Link): Html | undefined {
  const list = buildList(found.builds, link);
  if (list === undefined) return undefined;
  return html`<section class="block" aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${list}${restNote(found)}
</section>
`;
}

function restNote({ builds, count: all }: TaggedBuilds): Html | undefined {
  if (all <= builds.length) return undefined;
  return html`<p class="quiet block-gap">These are the best ${builds.length} of ${count(all)}: search to find others.</p>`;
}
