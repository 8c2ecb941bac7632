/** The versions of a build, with dates, risk, yanks and known faults. */
import type { HeadVersion } from '../../../format/index/head.ts';
import { headPath, tarballPath } from '../../../format/index/layout.ts';
import { advisoryFolder } from '../../../format/index/site-path.ts';
import { sourceAddress } from '../../../format/index/source-address.ts';
import { bytesText } from '../figures.ts';
import { html, plain } from '../html.ts';
import type { Html } from '../html.ts';
import type { Link } from '../link.ts';
import { when } from '../when.ts';
import { previousOf } from './build-view.ts';
import type { BuildView } from './build-view.ts';
import { riskMark, withdrawnMark, yankedMark } from './marks.ts';

/** Versions that a page lists. */
const MAX_SHOWN = 200;

export function versionsPanel(view: BuildView, link: Link): Html {
  const { id, head } = view;
  const shown = head.versions.slice(0, MAX_SHOWN);
  const rows = shown.map((one) => versionRow(view, one, link));
  const rest = head.versions.length - shown.length;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Table of versions"><table><thead><tr><th scope="col">Version</th><th scope="col">Published</th><th scope="col">Source</th><th scope="col" class="number">Tarball</th></tr></thead><tbody>${rows}</tbody></table></div>
${rest > 0 ? html`<p class="quiet">And ${rest} more, in <a href="${link(headPath(id))}">the head of the build</a>.</p>` : ''}`;
}

/** A withdrawn version has neither files nor a tarball. */
function versionRow(view: BuildView, one: HeadVersion, link: Link): Html {
  const { version, published_at, risk, yanked, size, advisories = [] } = one;
  const { id, head } = view;
  const isGone = one.withdrawn === true;
  const isLatest = version === head.latest && !isGone;
  const source = (against?: string): string =>
    link('index.html') + sourceAddress({ id, version, against });
  const previous = previousOf(view, version);
  const changes =
    previous === undefined
      ? ''
      : html` · <a href="${source(previous)}">changes<span class="visually-hidden"> of ${version}</span></a>`;
  const reason =
    typeof yanked === 'string' ? html`<br><span class="quiet bidi">${plain(yanked)}</span>` : '';
  const faults = advisories.map(
    (name) =>
      html`<br><a class="mark mark-danger" href="${link(`${advisoryFolder(name)}index.html`)}">${name}</a>`,
  );
  const files = html`<a href="${source()}">files<span class="visually-hidden"> of ${version}</span></a>`;
  const tarball = html`<a href="${link(tarballPath(id, version))}">${bytesText(size)}<span class="visually-hidden">, tarball of ${version}</span></a>`;
  return html`<tr><td><span class="version">${version}</span>${isLatest ? html` <span class="mark mark-latest">latest</span>` : ''}${riskMark(risk)}${isGone ? withdrawnMark() : yankedMark(yanked !== false)}${faults}${reason}</td><td>${when(published_at)}</td><td>${isGone ? '' : html`${files}${changes}`}</td><td class="number">${isGone ? 'gone' : tarball}</td></tr>\n`;
}
