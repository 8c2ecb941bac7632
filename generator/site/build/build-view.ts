/** What the pages of a build show: its latest version, and what is known about all. */
import type { Advisory } from '../../../format/advisory/advisory.ts';
import type { CapabilityLists } from '../../../format/index/capabilities.ts';
import type { Compatibility } from '../../../format/index/compatibility.ts';
import type { Waivers } from '../../../format/index/waivers.ts';
import type { Head, HeadVersion, PackageRecord } from '../../../format/index/record.ts';
import { OPEN, type Status } from '../../../format/registry/status.ts';
import { compareVersions } from '../../../format/version/semver-range.ts';

interface NamedBuild {
  readonly id: string;
  readonly description: string;
}

export interface BuildView {
  readonly id: string;
  /** The record of the latest version. */
  readonly latest: PackageRecord;
  /** Where it was published: in the log and in git. */
  readonly place: Readonly<Record<'commit' | 'tree', string> & { index: number }> | undefined;
  readonly head: Head;
  /** Bytes of the tarballs, by version. */
  readonly sizes: Readonly<Record<string, number>>;
  /** Where something was measured. */
  readonly compatibility: Compatibility | undefined;
  /** Where an admin accepted a finding. */
  readonly waivers: Waivers | undefined;
  /** Of the latest version. */
  readonly capabilities: CapabilityLists;
  /** About any version, sorted by id. */
  readonly advisories: readonly Advisory[];
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

/** What the head has about a version. */
export function headVersion(
  { head }: Pick<BuildView, 'head'>,
  version: string,
): HeadVersion | undefined {
  return head.versions.find((one) => one.version === version);
}

/** The status of a version; open where the head does not have it. */
export function statusIn(view: Pick<BuildView, 'head'>, version: string): Status {
  return headVersion(view, version)?.status ?? OPEN;
}
