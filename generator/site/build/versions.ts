/** The versions of a build, with dates, risk and yanks. */
import { versionFolder } from '../../../format/index/site-path.ts';
import type { HeadVersion } from '../../../format/index/head.ts';
import { tarballPath } from '../../../format/index/layout.ts';
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

export function versionsSection(view: BuildView, link: Link): Html {
  const { head } = view;
  const shown = head.versions.slice(0, MAX_SHOWN);
  const rows = shown.map((one) => versionRow(view, one, link));
  const rest = head.versions.length - shown.length;
  return html`<section class="section" id="versions" aria-labelledby="versions-title"><h2 id="versions-title">Versions</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Table of versions"><table><thead><tr><th scope="col">Version</th><th scope="col">Published</th><th scope="col">Source</th><th scope="col">Changes</th><th scope="col" class="number">Tarball</th></tr></thead><tbody>${rows}</tbody></table></div>
${rest > 0 ? html`<p class="quiet">And ${rest} more, in the head of the build.</p>` : ''}
</section>`;
}

/** A withdrawn version has a page, and neither files nor a tarball. */
function versionRow(view: BuildView, one: HeadVersion, link: Link): Html {
  const { version, published_at, risk, yanked, size } = one;
  const isGone = one.withdrawn === true;
  const folder = versionFolder(view.id, version);
  const isLatest = version === view.head.latest && !isGone;
  const changes =
    previousOf(view, version) === undefined
      ? ''
      : html`<a href="${link(`${folder}diff/index.html`)}">changes<span class="visually-hidden"> of ${version}</span></a>`;
  const reason =
    typeof yanked === 'string' ? html`<br><span class="quiet bidi">${plain(yanked)}</span>` : '';
  const files = html`<a href="${link(`${folder}files/index.html`)}">files<span class="visually-hidden"> of ${version}</span></a>`;
  const tarball = html`<a href="${link(tarballPath(view.id, version))}">${bytesText(size)}<span class="visually-hidden">, tarball of ${version}</span></a>`;
  return html`<tr><td><a href="${link(`${folder}index.html`)}">${version}</a>${isLatest ? html` <span class="mark mark-latest">latest</span>` : ''}${riskMark(risk)}${isGone ? withdrawnMark() : yankedMark(yanked !== false)}${reason}</td><td>${when(published_at)}</td><td>${isGone ? '' : files}</td><td>${isGone ? '' : changes}</td><td class="number">${isGone ? 'gone' : tarball}</td></tr>\n`;
}
