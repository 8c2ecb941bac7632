/** The column of facts beside the text of a build. */
import { headPath, recordPath, versionRecordPath } from '../../../format/index/layout.ts';
import { wilsonLowerBound } from '../../../format/index/wilson.ts';
import type { PackageRecord } from '../../../format/index/record.ts';
import { buildFolder, ownerFolder, versionFolder } from '../../../format/index/site-path.ts';
import { bytesText, count, countOf, percent } from '../figures.ts';
import { html, plain } from '../html.ts';
import type { Html } from '../html.ts';
import type { Link } from '../link.ts';
import type { Heading } from '../markdown/headings.ts';
import { when } from '../when.ts';
import type { BuildView } from './build-view.ts';
import { labelLinks } from './label-link.ts';
import type { LabelLink } from './label-link.ts';
import { riskMark } from './marks.ts';
import { sparkline } from './sparkline.ts';

const MAX_CONTENTS = 40;

/** @param headings of the README */
export function factsColumn(
  view: BuildView,
  record: PackageRecord,
  link: Link,
  headings: readonly Heading[],
): Html {
  const { id, version, manifest } = record;
  const [owner = ''] = id.split('/');
  const size = view.head.versions.find((one) => one.version === version)?.size ?? 0;
  return html`<aside class="facts" aria-label="Facts">
<div><dl>
${fact('Version', version)}${fact('Published', when(record.published_at))}${fact('Kind', record.kind)}${fact('Licence', licence(record.license))}${fact('Quality', html`<a href="#checks">${record.quality} of 100</a>`)}${fact('Risk', html`<a href="#checks">${riskMark(record.risk, true)}</a>`)}${fact('Files', html`<a href="${link(`${versionFolder(id, version)}files/index.html`)}">${countOf(record.files.length, 'file')}, ${bytesText(sum(record.files))}</a>`)}${fact('Tarball', bytesText(size))}${record.flags > 0 ? fact('Open flags', count(record.flags)) : ''}
</dl></div>
<div><h2>Downloads</h2><dl>${fact('In all', count(record.downloads))}</dl>${sparkline(view.months)}</div>
<div><h2>Agent reports</h2>${reports(record)}</div>
<div><h2>Publisher</h2><dl>${fact('Owner', html`<a href="${link(`${ownerFolder(owner)}index.html`)}">${owner}</a>`)}${fact('Reputation', html`${record.reputation} of 100`)}${webFact('Source', manifest.repository)}${webFact('Homepage', manifest.homepage)}</dl></div>
${keywords(record.keywords, labelLinks(view, record, link))}
<div><h2>Data</h2><ul class="contents"><li><a href="${link(versionRecordPath(id, version))}">Package record</a></li><li><a href="${link(headPath(id))}">Head</a></li>${version === view.latest.version ? html`<li><a href="${link(recordPath(id))}">Record of the latest version</a></li>` : ''}<li><a href="${link(`${buildFolder(id)}feed.xml`)}">Feed of versions</a></li></ul></div>
${contents(headings)}
</aside>`;
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

function reports({ agent_reports }: PackageRecord): Html {
  const { success, failure } = agent_reports;
  const total = success + failure;
  if (total === 0) return html`<p class="quiet">No agent has reported on this build yet.</p>`;
  const bound = wilsonLowerBound(success, total);
  return html`<dl>${fact('Succeeded', `${count(success)} of ${countOf(total, 'report')}`)}${fact('At least', html`<abbr title="Lower end of the 95 % interval (Wilson)">${percent(bound)}</abbr>`)}</dl>`;
}

function keywords(words: readonly string[], label: LabelLink): Html | undefined {
  if (words.length === 0) return undefined;
  const labels = words.map((word) => label('keyword', word));
  return html`<div><h2>Keywords</h2><p class="labels">${labels}</p></div>`;
}

function contents(headings: readonly Heading[]): Html | undefined {
  if (headings.length < 3) return undefined;
  const shown = headings.filter((one) => one.depth <= 2).slice(0, MAX_CONTENTS);
  return html`<nav class="contents" aria-label="Contents of the README"><h2>Contents</h2><ul>${shown.map(
    ({ id, text, depth }) =>
      html`<li><a${depth > 1 ? html` class="deeper"` : ''} href="#${id}">${text}</a></li>\n`,
  )}</ul></nav>`;
}

function sum(files: PackageRecord['files']): number {
  return files.reduce((bytes, file) => bytes + file.size, 0);
}
