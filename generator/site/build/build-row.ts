/** One build in a list. The browser module writes the same markup for results of a search. */
import type { BuildSummary } from '../../../format/index/catalog.ts';
import { buildFolder } from '../../../format/index/site-path.ts';
import { count, countOf } from '../figures.ts';
import { html, plain } from '../html.ts';
import type { Html } from '../html.ts';
import type { Link } from '../link.ts';
import { when } from '../when.ts';
import { deprecatedMark, faultMarks, kindMark, riskMark, yankedMark } from './marks.ts';

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
  return html`<li class="build-row">${name} <span class="build-version">${latest}</span>${kindMark(kind)}${faultMarks(advisories)}${riskMark(risk)}${deprecatedMark(deprecated)}${yankedMark(yanked)}
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
