/** The list of all advisories, and a page for each: what it is about, who is affected, what fixes it. */
import { type Advisory, buildsOf, tryParseTime } from '../../../format/advisory/advisory.ts';
import { severityOf } from '../severity.ts';
import { compareText } from '../../../format/compare-text.ts';
import { ADVISORIES_PATH, advisoryPath } from '../../../format/index/layout.ts';
import { advisoryFolder, buildFolder } from '../../../format/index/site-path.ts';
import { html, type Html } from '../html.ts';
import { countOf, when } from '../figures.ts';
import { type Link, linkFrom } from '../link.ts';
import { plain } from '../visible-text.ts';
import { renderMarkdown } from '../markdown/render-markdown.ts';
import { renderPage } from '../page.ts';
import type { PageSite } from '../site.ts';

const FEED = 'advisories.xml';
/** Advisories that the list shows; `advisories/all.json` has all. */
const MAX_SHOWN = 1_000;

/** The list and its twin, by path. @param advisories all of them */
export function advisoriesPages(
  site: PageSite,
  advisories: readonly Advisory[],
): Readonly<Record<string, string>> {
  const path = 'advisories/index.html';
  const twin = 'advisories/index.md';
  const link = linkFrom(path);
  const timeOf = ({ modified }: Advisory): number => tryParseTime(modified) ?? 0;
  const newest = advisories.toSorted((a, b) => timeOf(b) - timeOf(a) || compareText(a.id, b.id));
  const shown = newest.slice(0, MAX_SHOWN);
  const rows = shown.map(
    (one) =>
      html`<li class="build-row"><a class="build-name" href="${link(`${advisoryFolder(one.id)}index.html`)}">${one.id}</a>${marks(one)}<p class="build-description bidi">${plain(one.summary)}</p><p class="build-facts"><span>${buildsOf(one).join(', ')}</span>${when(one.modified)}</p></li>\n`,
  );
  const title = 'Advisories';
  const lead = `Known faults of published versions. ${countOf(advisories.length, 'advisory', 'advisories')}.`;
  const main = html`<main id="main">
<h1>${title}</h1>
<p class="lead">${lead}</p>
<div class="block-gap">${rows.length === 0 ? html`<p class="quiet">No advisory was published.</p>` : html`<ul class="build-list">${rows}</ul>`}</div>
<p class="quiet block-gap">All of them in the schema of OSV: <a href="${link(ADVISORIES_PATH)}">all.json</a>. In a project, <code>stackyard outdated</code> names those about its builds.</p>
</main>`;
  const feed = { path: FEED, title };
  const description = 'Known faults of builds.';
  const items = shown.map(
    (one) =>
      `- [${one.id}](${link(`${advisoryFolder(one.id)}index.md`)}) ${buildsOf(one).join(', ')}: ${plain(one.summary)}\n`,
  );
  return {
    [path]: renderPage(site, { path, kind: 'advisories', title, description, twin, feed, main }),
    [twin]: `# ${title}\n\n> ${lead}\n\n${items.join('')}`,
  };
}

/** The page of one advisory and its twin, by path. */
export function advisoryPages(
  site: Pick<PageSite, 'assets'>,
  advisory: Advisory,
): Readonly<Record<string, string>> {
  const { id, summary, details = '', affected, aliases = [], references = [] } = advisory;
  const folder = advisoryFolder(id);
  const path = `${folder}index.html`;
  const twin = `${folder}index.md`;
  const link = linkFrom(path);
  // Relative links would be those of a repository, which the page does not know.
  const resolve = (href: string): string | undefined => (/^https?:/i.test(href) ? href : undefined);
  const text = renderMarkdown(details, {
    prefix: 'details-',
    level: 2,
    resolve,
  });
  const vectors = (advisory.severity ?? []).map(({ score }) => score);
  const main = html`<main id="main">
<h1>${id}</h1>
<p class="lead bidi">${plain(summary)}</p>
<div class="safety safety-${advisory.withdrawn === undefined ? 'bad' : 'none'}"><p>${advisory.withdrawn === undefined ? html`<strong>${severityText(advisory)}.</strong>` : html`<strong>Withdrawn</strong> ${when(advisory.withdrawn)}: it does not count any more.`}</p></div>
<div class="scroll block-gap" tabindex="0" role="region" aria-label="Table of affected builds"><table><thead><tr><th scope="col">Build</th><th scope="col">Affected</th><th scope="col">Fixed in</th></tr></thead><tbody>${affected.map((one) => affectedRow(one, link))}</tbody></table></div>
${details.trim() === '' ? '' : html`<div class="prose block-gap">\n${text.html}</div>`}
<dl class="answers block-gap"><div><dt>Published</dt><dd>${when(advisory.published ?? advisory.modified)}, changed ${when(advisory.modified)}</dd></div>
${vectors.length === 0 ? '' : html`<div><dt>CVSS</dt><dd><code>${vectors.join(' ')}</code></dd></div>`}${aliases.length === 0 ? '' : html`<div><dt>Also known as</dt><dd>${aliases.join(', ')}</dd></div>`}${references.length === 0 ? '' : html`<div><dt>References</dt><dd>${references.map(({ url }) => reference(url))}</dd></div>`}
<div><dt>Data</dt><dd><a href="${link(advisoryPath(id))}">In the schema of OSV</a></dd></div></dl>
</main>`;
  const items = affected.map(
    (one) => `- ${one.database_specific.build}: ${rangesText(one)}; fixed in ${fixedText(one)}\n`,
  );
  return {
    [path]: renderPage(site, {
      path,
      kind: 'advisory',
      title: id,
      description: plain(summary),
      twin,
      main,
    }),
    [twin]: `# ${id}\n\n> ${plain(summary)}\n\n${advisory.withdrawn === undefined ? severityText(advisory) : 'Withdrawn'}.\n\n${items.join('')}\n## Details\n\nText of the publisher:\n\n${plain(details) === '' ? 'None.' : details.trim()}\n`,
  };
}

function marks(advisory: Advisory): Html {
  if (advisory.withdrawn !== undefined) return html` <span class="mark">withdrawn</span>`;
  const severity = severityOf(advisory);
  return severity === undefined
    ? html``
    : html` <span class="mark mark-${severity === 'low' || severity === 'none' ? 'warn' : 'danger'}">${severity}</span>`;
}

function severityText(advisory: Advisory): string {
  const severity = severityOf(advisory);
  return severity === undefined ? 'Severity not rated in CVSS 3' : `Severity ${severity}`;
}

function affectedRow(one: Advisory['affected'][number], link: Link): Html {
  const name = one.database_specific.build;
  return html`<tr><td><a href="${link(`${buildFolder(name)}index.html`)}">${name}</a></td><td>${rangesText(one)}</td><td>${fixedText(one)}</td></tr>\n`;
}

/** `from 1.0.0 to before 2.2.1`. */
function rangesText({ ranges = [], versions = [] }: Advisory['affected'][number]): string {
  const spans = ranges.flatMap(({ events }) => {
    const words = events.map(({ introduced, fixed, last_affected }) => {
      if (introduced !== undefined) return introduced === '0' ? 'all' : `from ${introduced}`;
      return fixed === undefined ? `to ${last_affected}` : `to before ${fixed}`;
    });
    return words.length === 0 ? [] : [words.join(' ')];
  });
  return [...spans, ...versions].join(', ');
}

function fixedText({ ranges = [] }: Advisory['affected'][number]): string {
  const fixed = ranges.flatMap(({ events }) => events.flatMap((one) => one.fixed ?? []));
  return fixed.length === 0 ? 'no version' : fixed.join(', ');
}

function reference(url: string): Html {
  return /^https?:\/\/[^/]/i.test(url)
    ? html`<a href="${url}" rel="nofollow ugc noopener">${plain(url)}</a> `
    : html`${plain(url)} `;
}
