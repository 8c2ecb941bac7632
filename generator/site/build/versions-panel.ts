/** The panel "Versions" of a build. */
import { recordPath, tarballPath } from '../../../format/index/layout.ts';
import type { HeadVersion } from '../../../format/index/record.ts';
import { advisoryFolder } from '../../../format/index/site-path.ts';
import { isGone } from '../../../format/registry/status.ts';
import { sourceAddress } from '../source-address.ts';
import { riskMark, statusMark } from './build-list.ts';
import type { BuildView } from './build-view.ts';
import { bytesText, when } from '../figures.ts';
import { html, type Html } from '../html.ts';
import type { Link } from '../link.ts';
import { plain } from '../visible-text.ts';

/** The version before `version` in order, which its changes are shown against: one that was not withdrawn. */
function previousOf({ head }: BuildView, version: string): string | undefined {
  const at = head.versions.findIndex((one) => one.version === version);
  return head.versions.slice(at + 1).find(({ status }) => !isGone(status))?.version;
}

/** Versions that a page lists. */
const MAX_SHOWN = 200;

export function versionsPanel(view: BuildView, link: Link): Html {
  const { id, head } = view;
  const shown = head.versions.slice(0, MAX_SHOWN);
  const rows = shown.map((one) => versionRow(view, one, link));
  const rest = head.versions.length - shown.length;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Table of versions"><table><thead><tr><th scope="col">Version</th><th scope="col">Published</th><th scope="col">Source</th><th scope="col" class="number">Tarball</th></tr></thead><tbody>${rows}</tbody></table></div>
${rest > 0 ? html`<p class="quiet">And ${rest} more, in <a href="${link(recordPath(id))}">the record of the build</a>.</p>` : ''}`;
}

/** A withdrawn version has neither files nor a tarball. */
function versionRow(view: BuildView, one: HeadVersion, link: Link): Html {
  const { version, published_at, risk, status, advisories = [] } = one;
  const { id, head, sizes } = view;
  const isMissing = isGone(status);
  const isLatest = version === head.latest && !isMissing;
  const source = (against?: string): string =>
    link('index.html') + sourceAddress({ id, version, against });
  const previous = previousOf(view, version);
  const changes =
    previous === undefined
      ? ''
      : html` · <a href="${source(previous)}">changes<span class="visually-hidden"> of ${version}</span></a>`;
  const reason =
    status.is === 'open' ? '' : html`<br><span class="quiet bidi">${plain(status.reason)}</span>`;
  const faults = advisories.map(
    (name) =>
      html`<br><a class="mark mark-danger" href="${link(`${advisoryFolder(name)}index.html`)}">${name}</a>`,
  );
  const files = html`<a href="${source()}">files<span class="visually-hidden"> of ${version}</span></a>`;
  const tarball = html`<a href="${link(tarballPath(id, version))}">${bytesText(sizes[version] ?? 0)}<span class="visually-hidden">, tarball of ${version}</span></a>`;
  return html`<tr><td><span class="version">${version}</span>${isLatest ? html` <span class="mark mark-latest">latest</span>` : ''}${riskMark(risk)}${statusMark(status)}${faults}${reason}</td><td>${when(published_at)}</td><td>${isMissing ? '' : html`${files}${changes}`}</td><td class="number">${isMissing ? 'gone' : tarball}</td></tr>\n`;
}
