/** Facts that do not decide: numbers, use, publisher, labels, documents, and the digest with a way to check it. */
import { headPath, recordPath, tarballPath, urlPath } from '../../../format/index/layout.ts';
import { wilsonLowerBound } from '../../../format/index/wilson.ts';
import type { PackageRecord } from '../../../format/index/record.ts';
import { buildFolder } from '../../../format/index/site-path.ts';
import { html, type Html } from '../html.ts';
import { bytesText, count, countOf, percent, when } from '../figures.ts';
import type { Link } from '../link.ts';
import { plain } from '../visible-text.ts';
import type { PageSite } from '../site.ts';
import type { BuildView } from './build-view.ts';
import { commandLine, UNKNOWN_ADDRESS } from './install-command.ts';
import { labelLinks } from '../labels.ts';

export function detailsPanel(site: PageSite, view: BuildView, link: Link): Html {
  const { id, latest: record, sizes } = view;
  const { version, manifest } = record;
  return html`<div class="facts"><div><h3>This version</h3><dl>
${fact('Version', version)}${fact('Published', when(record.published_at))}${fact('Kind', record.kind)}${fact('Licence', licence(record.license))}${fact('Quality', html`<a href="#checks">${record.quality} of 100</a>`)}${fact('Files', html`<a href="#files">${countOf(record.files.length, 'file')}</a>`)}${fact('Tarball', html`<a href="${link(tarballPath(id, version))}">${bytesText(sizes[version] ?? 0)}</a>`)}</dl></div>
<div><h3>Use</h3><dl>${fact('Downloads', count(record.downloads))}${reports(record)}</dl></div>
<div><h3>Publisher</h3><dl>${fact('Reputation', html`${record.reputation} of 100`)}${webFact('Source', manifest.repository)}${webFact('Homepage', manifest.homepage)}</dl></div>
<div><h3>Data</h3><ul class="contents"><li><a href="${link(recordPath(id))}">Package record</a></li><li><a href="${link(headPath(id))}">Head</a></li><li><a href="${link(`${buildFolder(id)}feed.xml`)}">Feed of versions</a></li></ul></div></div>
${keywords(record.keywords, labelLinks(view, link))}
<h3 id="integrity">Integrity</h3>
${integrity(site, view, link)}`;
}

function fact(name: string, value: Html | string): Html {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`;
}

/** A link of the publisher, when a browser can open it. */
function webFact(name: string, address: string | undefined): Html | undefined {
  if (address === undefined || !/^https?:\/\/[^/]/i.test(address)) return undefined;
  const text = address.replace(/^https?:\/\/(?:www\.)?/i, '').replace(/\/$/, '');
  return fact(name, html`<a href="${address}" rel="nofollow ugc noopener">${plain(text)}</a>`);
}

function licence(expression: string): Html | string {
  if (!/^[A-Za-z0-9.+-]+$/.test(expression) || expression.startsWith('LicenseRef')) {
    return plain(expression);
  }
  return html`<a href="https://spdx.org/licenses/${expression}.html" rel="noopener">${expression}</a>`;
}

function reports({ agent_reports }: PackageRecord): Html | undefined {
  const { success, failure } = agent_reports;
  const total = success + failure;
  if (total === 0) return undefined;
  const bound = wilsonLowerBound(success, total);
  return html`${fact('Reported success', `${count(success)} of ${countOf(total, 'report')}`)}${fact('At least', html`<abbr title="Lower end of the 95 % interval (Wilson)">${percent(bound)}</abbr>`)}`;
}

function keywords(
  words: readonly string[],
  label: ReturnType<typeof labelLinks>,
): Html | undefined {
  if (words.length === 0) return undefined;
  const labels = words.map((word) => label('keyword', word));
  return html`<h3>Keywords</h3><p class="labels">${labels}</p>`;
}

/** The SHA-256 of the tarball, and how to check it without trusting this site. */
function integrity(site: PageSite, view: BuildView, link: Link): Html {
  const { id, version, integrity: digest } = view.latest;
  const base = site.address === '' ? UNKNOWN_ADDRESS : site.address;
  const command = `test "$(curl -fsS ${base}/${urlPath(tarballPath(id, version))} | openssl dgst -sha256 -binary | base64)" = "${digest.slice('sha256-'.length)}" && echo same`;
  return html`<p>The SHA-256 of the tarball. A version never changes: the client refuses any other bytes.</p>
<code class="digest">${digest}</code>
<p>Check it without the client:</p>
${commandLine(command, 'check-digest')}
${logPlace(view, link)}`;
}

/** Where the transparency log has the latest version. */
export function logPlace({ place }: BuildView, link: Link): Html | undefined {
  if (place === undefined) return undefined;
  return html`<p>Entry <strong>${place.index}</strong> of the <a href="${link('verify/index.html')}">transparency log</a>; commit <code>${place.commit.slice(0, 12)}</code>, tree <code>${place.tree.slice(0, 12)}</code>.</p>`;
}
