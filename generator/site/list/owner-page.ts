/** The page of an owner: reputation with its parts, and all builds. */
import type { BuildSummary } from '../../../format/index/catalog.ts';
import { ownerPath } from '../../../format/index/layout.ts';
import type { OwnerInfo } from '../../../format/index/registry-info.ts';
import { ownerFolder } from '../../../format/index/site-path.ts';
import { buildList } from '../build/build-row.ts';
import { countOf } from '../figures.ts';
import { html } from '../html.ts';
import { linkFrom } from '../link.ts';
import { renderPage } from '../shell/page.ts';
import type { Site } from '../site.ts';

/** Builds that a page lists; the document of the owner has all. */
export const OWNER_BUILDS = 500;

const PARTS: Readonly<Record<string, string>> = {
  start: 'where every owner starts',
  age: 'time since the first publication',
  reports_success: 'agents reported success',
  reports_failure: 'agents reported failure',
  yanked: 'days of publication with a yanked version',
  risk: 'days of publication with a risky version',
  flags: 'versions with an upheld flag',
};

/** @param builds summaries by standing, without those of which every version is yanked */
export function ownerPage(site: Site, info: OwnerInfo, builds: readonly BuildSummary[]): string {
  const { owner, reputation, reputation_parts } = info;
  const path = `${ownerFolder(owner)}index.html`;
  const link = linkFrom(path);
  const parts = Object.entries(reputation_parts).map(
    ([part, points]) =>
      html`<tr><td>${PARTS[part] ?? part}</td><td class="number">${points > 0 ? '+' : ''}${points}</td></tr>\n`,
  );
  const rest = info.builds.length - builds.length;
  const main = html`<main id="main">
<h1>${owner}</h1>
<p class="lead">${countOf(info.builds.length, 'build')}, reputation ${reputation} of 100.</p>
<div class="with-side"><div class="main-column"><section aria-labelledby="builds"><h2 id="builds" class="visually-hidden">Builds</h2>
${buildList(builds, link) ?? html`<p class="quiet">There is no build to install.</p>`}
${rest > 0 ? html`<p class="quiet block-gap">${countOf(rest, 'more build')} ${rest === 1 ? 'is' : 'are'} in <a href="${link(ownerPath(owner))}">the document of the owner</a>.</p>` : ''}
</section></div>
<aside class="facts" aria-label="Facts"><div><h2>Reputation</h2><table><thead><tr><th scope="col">Because of</th><th scope="col" class="number">Points</th></tr></thead><tbody>${parts}</tbody></table></div>
<div><h2>Data</h2><ul class="contents"><li><a href="${link(ownerPath(owner))}">Document of the owner</a></li><li><a href="${link(`${ownerFolder(owner)}feed.xml`)}">Feed</a></li></ul></div></aside></div>
</main>`;
  return renderPage(site, {
    path,
    kind: 'owner',
    title: owner,
    description: `The builds of ${owner} in ${site.name}.`,
    twin: `${ownerFolder(owner)}index.md`,
    feed: { path: `${ownerFolder(owner)}feed.xml`, title: `Builds of ${owner}` },
    main,
  });
}
