/** Makes the documents of a build from its facts: package record, head, summary. Pure. */
import type { Advisory } from '../../format/advisory/advisory.ts';
import type { BuildSummary, Head, HeadVersion, PackageRecord } from '../../format/index/record.ts';
import {
  publishFinding,
  withFindings,
  type PublishedFinding,
} from '../../format/finding/finding.ts';
import type { Compatibility, Matrix } from '../../format/index/compatibility.ts';
import { measuredBounds, rangesOf } from '../../format/index/known-good.ts';
import { checkStackRanges } from '../../scan/stack-range.ts';
import type { VersionFacts } from '../../scan/version-facts.ts';
import type { VersionPlace } from '../state/log-table.ts';
import {
  affecting,
  inescapable,
  packageKey,
  type PackageEcosystem,
  type PackageEntry,
} from '../../format/advisory/package-advisories.ts';
import type { Waiver } from '../../format/registry/moderation.ts';
import type { Waivers } from '../../format/index/waivers.ts';
import { compareVersions, isPrerelease } from '../../format/version/semver-range.ts';
import { wordsOf } from '../../format/index/word-forms.ts';
import { readMarkdown } from '../../format/wiring/markdown.ts';
import type { Manifest } from '../../format/build/manifest.ts';
import { isGone, OPEN, type Status } from '../../format/registry/status.ts';

/** What may change after publication. */
export interface BuildFacts {
  readonly id: string;
  /** Any order. */
  readonly versions: readonly VersionFacts[];
  /** Where the versions were published: in the log and in git. */
  readonly places: readonly VersionPlace[];
  /** Version to the integrity of its document, which is fixed with the publication. */
  readonly documents: Readonly<Record<string, string>>;
  readonly statuses: Readonly<Record<string, Status>>;
  /** Version to findings about required versions that were withdrawn. */
  readonly lost: Readonly<Record<string, readonly PublishedFinding[]>>;
  readonly deprecated:
    | { readonly reason: string; readonly replacement?: string | undefined }
    | undefined;
  readonly moved: { readonly to: string; readonly since: string } | undefined;
  /** Version to the waivers that hold for it. */
  readonly waivers: Readonly<Record<string, readonly Waiver[]>>;
  /** Those about the build, sorted by id. */
  readonly advisories: readonly Advisory[];
  /** What was measured about its ranges; `undefined` where nothing was. */
  readonly matrix: Matrix | undefined;
  /** What is known about the packages of any version. */
  readonly packages: readonly KnownPackage[];
  readonly downloads: number;
  readonly reports: { readonly success: number; readonly failure: number };
  readonly flags: number;
  readonly reputation: number;
  /** The newest publication, yank or signal change. */
  readonly updated_at: string;
}

interface BuildDocuments {
  /** The package record, which shows the latest version. */
  readonly latest: PackageRecord;
  readonly head: Head;
  /** Where something was measured. */
  readonly compatibility: Compatibility | undefined;
  /** Where an admin accepted a finding. */
  readonly waivers: Waivers | undefined;
  readonly summary: BuildSummary;
}

/** Makes the documents of a build that has at least one version. */
export function record(facts: BuildFacts): BuildDocuments {
  const versions = [...facts.versions].sort((a, b) => compareVersions(b.version, a.version));
  const isOpen = (version: string): boolean => statusIn(facts, version).is === 'open';
  const latestNumber = latestVersion(
    versions.map((v) => v.version),
    isOpen,
  );
  const entries = versions.map(({ version, published_at, risk }) => {
    return { version, published_at, risk, yanked: !isOpen(version) };
  });
  const shown = versions.find(({ version }) => version === latestNumber)!;
  const latest = latestRecord(facts, shown, entries);
  return {
    latest,
    head: headOf(facts, versions, latest),
    compatibility: compatibilityOf(facts),
    waivers: waiversOf(facts.id, versions, facts.waivers),
    summary: summaryOf(
      facts,
      latest,
      entries.every((e) => e.yanked),
    ),
  };
}

function statusIn({ statuses }: BuildFacts, version: string): Status {
  return statuses[version] ?? OPEN;
}

function latestRecord(
  facts: BuildFacts,
  shown: VersionFacts,
  versions: PackageRecord['versions'],
): PackageRecord {
  const { manifest, risk, quality } = shown;
  const isShownGone = isGone(statusIn(facts, shown.version));
  const [owner = ''] = facts.id.split('/');
  return {
    id: facts.id,
    kind: manifest.kind,
    description: manifest.description,
    version: shown.version,
    latest: shown.version,
    keywords: manifest.keywords ?? [],
    requires: manifest.stack?.requires ?? {},
    provides: manifest.stack?.provides ?? [],
    license: manifest.license,
    repository: manifest.repository ?? sourceOf(shown.version, facts),
    risk,
    quality,
    downloads: facts.downloads,
    agent_reports: agentReports(facts.reports),
    flags: facts.flags,
    reputation: facts.reputation,
    updated_at: facts.updated_at,
    manifest,
    readme: isShownGone ? '' : shown.readme,
    integration: isShownGone ? '' : shown.integration,
    files: [...shown.files],
    checks: {
      risk,
      quality,
      findings: [...withFindings(shown.findings, laterFindings(shown, facts))],
    },
    integrity: shown.integrity,
    publisher: `admin:${owner}`,
    published_at: shown.published_at,
    versions,
  };
}

/** The SWHID of the folder of a version (ISO/IEC 18670): the git tree that holds its sources, wherever the repository is. */
function sourceOf(version: string, { places }: BuildFacts): string {
  const tree = places.find((place) => place.version === version)?.tree;
  return tree === undefined ? '' : `swh:1:dir:${tree}`;
}

/** What was found of a version after its publication: by the matrix about its ranges, and of what it requires. */
function laterFindings(
  { version, manifest, published_at }: VersionFacts,
  { matrix, lost }: BuildFacts,
): PublishedFinding[] {
  const measured = matrix ? checkStackRanges(manifest, published_at, matrix.versions) : [];
  return [...measured.map(publishFinding), ...(lost[version] ?? [])];
}

/** The waivers that hold for a finding of a version. */
function waiversOf(
  id: string,
  versions: readonly VersionFacts[],
  holding: BuildFacts['waivers'],
): Waivers | undefined {
  const waived = versions.flatMap(({ version, findings: found }) => {
    const findings = (holding[version] ?? [])
      .filter((one) => found.some(({ code, file }) => code === one.code && file === one.file))
      .map(({ code, file, reason, by, at }) => ({ code, file, reason, by, at }));
    return findings.length === 0 ? [] : [{ version, findings }];
  });
  return waived.length === 0 ? undefined : { id, versions: waived };
}

/** The measured versions that are published: of one that was withdrawn nothing is shown. */
function compatibilityOf(facts: BuildFacts): Compatibility | undefined {
  const { id, matrix, versions } = facts;
  if (matrix === undefined) return undefined;
  const there = versions.filter(({ version }) => !isGone(statusIn(facts, version)));
  const published = new Set(there.map(({ version }) => version));
  return { id, versions: matrix.versions.filter(({ version }) => published.has(version)) };
}

function headOf(facts: BuildFacts, versions: readonly VersionFacts[], latest: PackageRecord): Head {
  const { deprecated } = facts;
  return {
    id: facts.id,
    kind: latest.kind,
    latest: latest.version,
    ...(deprecated === undefined ? {} : { deprecated: withoutUndefined(deprecated) }),
    ...(facts.moved === undefined ? {} : { moved: { ...facts.moved } }),
    versions: versions.map(({ version, published_at, integrity, manifest, risk }, at) => ({
      version,
      published_at,
      integrity,
      document: facts.documents[version],
      requires: manifest.stack?.requires ?? {},
      provides: manifest.stack?.provides ?? [],
      builds: manifest.builds ?? {},
      ...orderOf(Object.keys(manifest.builds ?? {})),
      risk,
      status: statusIn(facts, version),
      ...withAdvisories(affecting(facts.id, version, facts.advisories)),
      ...withPackages(faultyPackages(manifest, facts.packages)),
      ...withMeasured(facts, versions, versions[at]!),
      ...withLater(version === latest.version ? [] : laterFindings(versions[at]!, facts)),
    })),
  };
}

function withAdvisories(ids: string[]): Pick<HeadVersion, 'advisories'> {
  return ids.length === 0 ? {} : { advisories: ids };
}

function withPackages(
  packages: NonNullable<HeadVersion['packages']>,
): Pick<HeadVersion, 'packages'> {
  return packages.length === 0 ? {} : { packages };
}

/**
 * What was measured of the version; of one that was not measured, what was of the nearest lower one that was, or else of the
 * nearest higher one, for tags of which it has the same range. Without this, a client would take an old version that nobody measured.
 * @param versions highest first
 */
function withMeasured(
  { matrix }: BuildFacts,
  versions: readonly VersionFacts[],
  { version, manifest }: VersionFacts,
): Pick<HeadVersion, 'measured'> {
  const boundsOf = (of: string): NonNullable<HeadVersion['measured']> => {
    return measuredBounds(matrix?.versions.find((one) => one.version === of)?.results ?? []);
  };
  const own = boundsOf(version);
  if (Object.keys(own).length > 0) return { measured: own };
  const at = versions.findIndex((one) => one.version === version);
  const measured = [...versions.slice(at + 1), ...versions.slice(0, at).toReversed()]
    .map((other) => ({ other, bounds: boundsOf(other.version) }))
    .find(({ bounds }) => Object.keys(bounds).length > 0);
  if (measured === undefined) return {};
  const [ranges, theirs] = [rangesOf(manifest), rangesOf(measured.other.manifest)];
  const same = Object.entries(measured.bounds).filter(([tag]) => {
    return ranges[tag] !== undefined && ranges[tag] === theirs[tag];
  });
  if (same.length === 0) return {};
  const as = measured.other.version;
  return { measured: Object.fromEntries(same.map(([tag, bounds]) => [tag, { ...bounds, as }])) };
}

/** The record has those of the latest version. */
function withLater(findings: PublishedFinding[]): Pick<HeadVersion, 'findings'> {
  return findings.length === 0 ? {} : { findings };
}

/** The order of required builds, which clients resolve by and which canonical JSON does not keep. */
function orderOf(ids: readonly string[]): { builds_order?: string[] } {
  const isSorted = ids.every((id, at) => at === 0 || ids[at - 1]! < id);
  return isSorted ? {} : { builds_order: [...ids] };
}

function summaryOf(facts: BuildFacts, latest: PackageRecord, allYanked: boolean): BuildSummary {
  const brings = facts.versions.find(({ version }) => version === latest.version)?.brings;
  const headings = readmeHeadings(latest.readme);
  return {
    id: facts.id,
    kind: latest.kind,
    latest: latest.version,
    description: latest.description,
    keywords: latest.keywords,
    requires: latest.requires,
    provides: latest.provides,
    ...(headings.length === 0 ? {} : { headings }),
    license: latest.license,
    risk: latest.risk,
    quality: latest.quality,
    downloads: latest.downloads,
    agent_reports: latest.agent_reports,
    reputation: latest.reputation,
    updated_at: latest.updated_at,
    deprecated: facts.deprecated !== undefined,
    yanked: allYanked,
    ...(brings === undefined ? {} : { brings: { ...brings } }),
    ...withAdvisories(affecting(facts.id, latest.version, facts.advisories)),
  };
}

/** `success_rate` has four decimals and is 0 without reports (design, section 5). */
function agentReports({ success, failure }: BuildFacts['reports']): PackageRecord['agent_reports'] {
  const total = success + failure;
  const rate = total === 0 ? 0 : Math.round((success / total) * 10_000) / 10_000;
  return { success, failure, success_rate: rate };
}

function withoutUndefined(deprecated: NonNullable<BuildFacts['deprecated']>): Head['deprecated'] {
  const { reason, replacement } = deprecated;
  return replacement === undefined ? { reason } : { reason, replacement };
}

/** Each summary of the catalog has them. */
const MAX_HEADINGS = 12;
const MAX_HEADING_CHARACTERS = 80;

/** Headings of most READMEs, which tell nothing about a build. */
const USUAL = new Set(
  'about api changelog commands configuration contents contributing credits development documentation environment errors example examples faq features getting started how it works install installation installing introduction license licence limits notes options overview packages prerequisites quick start quickstart requirements scripts setup support table of contents tests testing usage use why'.split(
    ' ',
  ),
);

/** Titles below the first one of the text, which is the name. @param readme untrusted */
export function readmeHeadings(readme: string): string[] {
  const titles = readMarkdown(readme).marks.flatMap((mark) =>
    mark.kind === 'heading' && mark.depth > 1 ? mark.title.trim() : [],
  );
  const telling = titles.filter((title) => wordsOf(title).some((word) => !USUAL.has(word)));
  const short = telling.map((title) => Array.from(title).slice(0, MAX_HEADING_CHARACTERS).join(''));
  return [...new Set(short)].slice(0, MAX_HEADINGS);
}

/** The entries about one package of a build. */
interface KnownPackage {
  readonly ecosystem: PackageEcosystem;
  readonly name: string;
  readonly entries: readonly PackageEntry[];
}

/** The packages of a version that it cannot bring without a known fault. */
function faultyPackages(
  manifest: Manifest,
  known: readonly KnownPackage[],
): NonNullable<HeadVersion['packages']> {
  if (known.length === 0) return [];
  return packagesOf(manifest).flatMap(({ ecosystem, name, range }) => {
    const key = packageKey(ecosystem, name);
    const own = known.find((one) => one.ecosystem === ecosystem && one.name === key);
    const advisories = inescapable(ecosystem, range, own?.entries ?? []);
    return advisories.length === 0 ? [] : [{ ecosystem, name, range, advisories }];
  });
}

/** Those of run time first, each table sorted by name. */
export function packagesOf({ dependencies, devDependencies }: Manifest): {
  readonly ecosystem: PackageEcosystem;
  readonly name: string;
  readonly range: string;
}[] {
  return [dependencies, devDependencies].flatMap((tables) =>
    (['npm', 'pip'] as const).flatMap((table) =>
      Object.entries(tables?.[table] ?? {})
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, range]) => {
          return { ecosystem: table === 'npm' ? ('npm' as const) : ('PyPI' as const), name, range };
        }),
    ),
  );
}

/**
 * The highest stable version that is not yanked; without one the highest prerelease that is not
 * yanked; with all yanked the highest of all.
 * @param versions highest first, at least one
 */
export function latestVersion(versions: readonly string[], isOpen: (v: string) => boolean): string {
  const offered = versions.filter(isOpen);
  return offered.find((v) => !isPrerelease(v)) ?? offered[0] ?? versions[0]!;
}
