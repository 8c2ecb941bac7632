/** What the pages of a build show: its latest version, and what is known about all. */
import type { Advisory } from '../../../format/advisory/advisory.ts';
import type { CapabilityLists } from '../../../format/index/capabilities.ts';
import type { Compatibility } from '../../../format/index/compatibility.ts';
import type { Waivers } from '../../../format/index/waivers.ts';
import type {
  BuildSummary,
  Head,
  HeadVersion,
  PackageRecord,
  Risk,
} from '../../../format/index/record.ts';
import { compareVersions } from '../../../format/version/semver-range.ts';
import { headPath, tarballPath } from '../../../format/index/layout.ts';
import { advisoryFolder, buildFolder } from '../../../format/index/site-path.ts';
import { sourceAddress } from '../../../format/index/source-address.ts';
import { bytesText, count, countOf, html, type Html, type Link, plain, when } from '../html.ts';

export interface MonthDownloads {
  /** `2026-01`. */
  readonly month: string;
  readonly downloads: number;
}

interface NamedBuild {
  readonly id: string;
  readonly description: string;
}

export interface BuildView {
  readonly id: string;
  /** The record of the latest version. */
  readonly latest: PackageRecord;
  readonly head: Head;
  /** Where something was measured. */
  readonly compatibility: Compatibility | undefined;
  /** Where an admin accepted a finding. */
  readonly waivers: Waivers | undefined;
  /** Of the latest version. */
  readonly capabilities: CapabilityLists;
  /** About any version, sorted by id. */
  readonly advisories: readonly Advisory[];
  /** Oldest first, without gaps. */
  readonly months: readonly MonthDownloads[];
  /** Builds whose latest version requires this one: the first, and how many there are. */
  readonly dependents: readonly NamedBuild[];
  readonly dependentCount: number;
  /** Builds that provide a stack tag which the latest version requires, best first; a few of them. */
  readonly providers: Readonly<Record<string, readonly string[]>>;
  /** Of a module: foundations that bring everything that it requires of a project, best first. */
  readonly foundations: readonly string[];
  /** Of a foundation: modules that can be added to its project at once. */
  readonly modules: readonly string[];
  /** Of a foundation: its packages as stack tags, with their versions. */
  readonly brings: Readonly<Record<string, string>>;
}

/** What was measured about a version: the latest, or the newest below it that was measured. */
export function measuredOf({
  compatibility,
  latest,
}: Pick<BuildView, 'compatibility' | 'latest'>): Compatibility['versions'][number] | undefined {
  return compatibility?.versions
    .filter(({ version, results }) => {
      return results.length > 0 && compareVersions(version, latest.version) <= 0;
    })
    .sort((a, b) => compareVersions(b.version, a.version))[0];
}

/** The version before `version` in order, which its changes are shown against: one that was not withdrawn. */
function previousOf({ head }: BuildView, version: string): string | undefined {
  const at = head.versions.findIndex((one) => one.version === version);
  return head.versions.slice(at + 1).find((one) => one.withdrawn !== true)?.version;
}

/** What the head has about a version. */
export function headVersion(
  { head }: Pick<BuildView, 'head'>,
  version: string,
): HeadVersion | undefined {
  return head.versions.find((one) => one.version === version);
}

/** The reason why a version is yanked. */
export function yankOf(view: Pick<BuildView, 'head'>, version: string): string | undefined {
  const yanked = headVersion(view, version)?.yanked;
  return yanked === undefined || yanked === false ? undefined : yanked;
}

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
  return html`<tr><td><span class="version">${version}</span>${isLatest ? html` <span class="mark mark-latest">latest</span>` : ''}${riskMark(risk)}${isGone ? withdrawnMark(one) : yankedMark(yanked !== false)}${faults}${reason}</td><td>${when(published_at)}</td><td>${isGone ? '' : html`${files}${changes}`}</td><td class="number">${isGone ? 'gone' : tarball}</td></tr>\n`;
}

/** Nothing for `ok`, unless asked for. */
function riskMark(risk: Risk, isAlways = false): Html | undefined {
  if (risk === 'ok' && !isAlways) return undefined;
  return html` <span class="mark mark-${risk}">risk: ${risk}</span>`;
}

function yankedMark(isYanked: boolean): Html | undefined {
  return isYanked ? html` <span class="mark mark-yanked">yanked</span>` : undefined;
}

export function withdrawnMark(own: Pick<HeadVersion, 'taken_down'> = {}): Html {
  return html` <span class="mark mark-yanked">${own.taken_down === undefined ? 'withdrawn' : 'taken down'}</span>`;
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
