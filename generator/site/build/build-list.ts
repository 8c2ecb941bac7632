/** Lists of builds, with the marks that a build has in them. */
import type { BuildSummary, Risk } from '../../../format/index/record.ts';
import { buildFolder } from '../../../format/index/site-path.ts';
import type { Status } from '../../../format/registry/status.ts';
import { count, countOf, when } from '../figures.ts';
import { html, type Html } from '../html.ts';
import type { Link } from '../link.ts';
import { plain } from '../visible-text.ts';

/** Nothing for `ok`, unless asked for. */
export function riskMark(risk: Risk, isAlways = false): Html | undefined {
  if (risk === 'ok' && !isAlways) return undefined;
  return html` <span class="mark mark-${risk}">risk: ${risk}</span>`;
}

/** Nothing for an open version. */
export function statusMark({ is }: Pick<Status, 'is'>): Html | undefined {
  return is === 'open' ? undefined : html` <span class="mark mark-yanked">${is}</span>`;
}

function deprecatedMark(isDeprecated: boolean): Html | undefined {
  return isDeprecated ? html` <span class="mark mark-deprecated">deprecated</span>` : undefined;
}

/** One for each advisory that affects the version. */
function faultMarks(advisories: readonly string[] = []): Html | undefined {
  if (advisories.length === 0) return undefined;
  return html`${advisories.map((id) => html` <span class="mark mark-danger">${id}</span>`)}`;
}

export function kindMark(kind: 'module' | 'foundation'): Html | undefined {
  return kind === 'foundation' ? html` <span class="mark mark-kind">foundation</span>` : undefined;
}

/** A list of builds; nothing when there are none. */
export function buildList(builds: readonly BuildSummary[], link: Link): Html | undefined {
  if (builds.length === 0) return undefined;
  return html`<ol class="build-list">
${builds.map((build) => buildRow(build, link))}</ol>`;
}

/** The list that a search replaces. */
export function resultList(builds: readonly BuildSummary[], link: Link): Html {
  return html`<ol class="build-list" data-results>
${builds.map((build) => buildRow(build, link))}</ol>`;
}

function buildRow(build: BuildSummary, link: Link): Html {
  const { id, kind, latest, description, risk, deprecated, yanked, updated_at, advisories } = build;
  const name = html`<a class="build-name" href="${link(`${buildFolder(id)}index.html`)}">${id}</a>`;
  return html`<li class="build-row">${name} <span class="build-version">${latest}</span>${kindMark(kind)}${faultMarks(advisories)}${riskMark(risk)}${deprecatedMark(deprecated)}${statusMark({ is: yanked ? 'yanked' : 'open' })}
<p class="build-description bidi">${plain(description)}</p>
<p class="build-facts"><span>quality ${build.quality}</span>${downloadsFact(build)}${reportsFact(build)}${when(updated_at)}</p></li>
`;
}

function downloadsFact({ downloads }: BuildSummary): Html | undefined {
  return downloads === 0 ? undefined : html`<span>${countOf(downloads, 'download')}</span>`;
}

function reportsFact({ agent_reports }: BuildSummary): Html | undefined {
  const { success, failure } = agent_reports;
  const total = success + failure;
  if (total === 0) return undefined;
  return html`<span>${count(success)} of ${countOf(total, 'report')} succeeded</span>`;
}
