/** Makes the documents of a build from its facts: package records, head, summary. Pure. */
import type { Advisory } from '../../format/advisory/advisory.ts';
import type { Capabilities } from '../../format/index/capabilities.ts';
import type { BuildSummary } from '../../format/index/catalog.ts';
import { publishFinding, type PublishedFinding } from '../../format/finding/finding.ts';
import type { Compatibility, Matrix } from '../../format/index/compatibility.ts';
import type { Head, HeadVersion } from '../../format/index/head.ts';
import { checkStackRanges } from '../../scan/stack-range.ts';
import type { VersionFacts } from '../../scan/version-facts.ts';
import type { PackageRecord } from '../../format/index/record.ts';
import type { VersionPlace } from '../state/log-table.ts';
import { affecting } from '../../format/advisory/affecting.ts';
import { faultyPackages, type KnownPackage } from './faulty-packages.ts';
import { compareVersions } from '../../format/version/semver-range.ts';
import { latestVersion } from './latest-version.ts';
import { readmeHeadings } from './readme-headings.ts';
import { withFindings } from './with-findings.ts';

/** What may change after publication. */
export interface BuildFacts {
  readonly id: string;
  /** Any order. */
  readonly versions: readonly VersionFacts[];
  /** Where the versions were published: in the log and in git. */
  readonly places: readonly VersionPlace[];
  /** Version to reason. */
  readonly yanked: Readonly<Record<string, string>>;
  /** Version to findings about required versions that were withdrawn. */
  readonly lost: Readonly<Record<string, readonly PublishedFinding[]>>;
  /** Those of the yanked versions that were withdrawn completely. */
  readonly withdrawn: readonly string[];
  readonly deprecated:
    | { readonly reason: string; readonly replacement?: string | undefined }
    | undefined;
  readonly moved: { readonly to: string; readonly since: string } | undefined;
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

/** The documents of one build. */
export interface BuildDocuments {
  /** One package record per version, highest first. */
  readonly records: readonly PackageRecord[];
  /** One document per version, highest first. */
  readonly capabilities: readonly Capabilities[];
  /** The package record of the latest version. */
  readonly latest: PackageRecord;
  readonly head: Head;
  /** Where something was measured. */
  readonly compatibility: Compatibility | undefined;
  readonly summary: BuildSummary;
}

/** Makes the documents of a build that has at least one version. */
export function record(facts: BuildFacts): BuildDocuments {
  const versions = [...facts.versions].sort((a, b) => compareVersions(b.version, a.version));
  const yanked = new Map(Object.entries(facts.yanked));
  const latestNumber = latestVersion(
    versions.map((v) => v.version),
    (version) => yanked.has(version),
  );
  const entries = versions.map(({ version, published_at, risk }) => {
    return { version, published_at, risk, yanked: yanked.has(version) };
  });
  const records = versions.map((v) => versionRecord(facts, v, latestNumber, entries));
  const latest = records.find((r) => r.version === latestNumber)!;
  return {
    records,
    capabilities: versions.map(({ version, capabilities }) => ({
      id: facts.id,
      version,
      ...capabilities,
    })),
    latest,
    head: headOf(facts, versions, latest, yanked),
    compatibility: compatibilityOf(facts),
    summary: summaryOf(facts, latest, yanked.size > 0 && entries.every((e) => e.yanked)),
  };
}

function versionRecord(
  facts: BuildFacts,
  shown: VersionFacts,
  latest: string,
  versions: PackageRecord['versions'],
): PackageRecord {
  const { manifest, risk, quality } = shown;
  const [owner = ''] = facts.id.split('/');
  return {
    id: facts.id,
    kind: manifest.kind,
    description: manifest.description,
    version: shown.version,
    latest,
    keywords: manifest.keywords ?? [],
    requires: manifest.stack?.requires ?? {},
    provides: manifest.stack?.provides ?? [],
    license: manifest.license,
    repository: manifest.repository ?? '',
    risk,
    quality,
    downloads: facts.downloads,
    agent_reports: agentReports(facts.reports),
    flags: facts.flags,
    reputation: facts.reputation,
    updated_at: facts.updated_at,
    manifest,
    readme: shown.readme,
    integration: shown.integration,
    files: [...shown.files],
    checks: { risk, quality, findings: [...findingsOf(shown, facts)] },
    integrity: shown.integrity,
    publisher: `admin:${owner}`,
    published_at: shown.published_at,
    versions,
  };
}

/** Those of the version, what the matrix had shown about its ranges, and what was withdrawn of what it requires. */
function findingsOf(
  { version, findings, manifest, published_at }: VersionFacts,
  { matrix, lost }: BuildFacts,
): PackageRecord['checks']['findings'] {
  const measured = matrix ? checkStackRanges(manifest, published_at, matrix.versions) : [];
  const added = [...measured.map(publishFinding), ...(lost[version] ?? [])];
  return [...withFindings(findings, added)];
}

/** The measured versions that are published: of one that was withdrawn nothing is shown. */
function compatibilityOf(facts: BuildFacts): Compatibility | undefined {
  const { id, matrix, versions, withdrawn } = facts;
  if (matrix === undefined) return undefined;
  const published = new Set(versions.map(({ version }) => version));
  for (const version of withdrawn) published.delete(version);
  return { id, versions: matrix.versions.filter(({ version }) => published.has(version)) };
}

function headOf(
  facts: BuildFacts,
  versions: readonly VersionFacts[],
  latest: PackageRecord,
  yanked: ReadonlyMap<string, string>,
): Head {
  const { deprecated } = facts;
  const places = new Map(facts.places.map(({ version, ...place }) => [version, place]));
  return {
    id: facts.id,
    kind: latest.kind,
    latest: latest.version,
    ...(deprecated === undefined ? {} : { deprecated: withoutUndefined(deprecated) }),
    ...(facts.moved === undefined ? {} : { moved: { ...facts.moved } }),
    versions: versions.map(({ version, published_at, integrity, size, manifest, risk }) => ({
      version,
      published_at,
      integrity,
      size,
      requires: manifest.stack?.requires ?? {},
      provides: manifest.stack?.provides ?? [],
      builds: manifest.builds ?? {},
      ...orderOf(Object.keys(manifest.builds ?? {})),
      risk,
      yanked: yanked.get(version) ?? false,
      ...(facts.withdrawn.includes(version) ? { withdrawn: true as const } : {}),
      ...withAdvisories(affecting(facts.id, version, facts.advisories)),
      ...withPackages(faultyPackages(manifest, facts.packages)),
      ...withLog(places.get(version)),
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

function withLog(log: HeadVersion['log']): Pick<HeadVersion, 'log'> {
  return log === undefined ? {} : { log };
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
