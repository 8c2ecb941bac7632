/** What the pages of a build show. */
import type { CapabilityLists } from '../../../format/index/capabilities.ts';
import type { Compatibility } from '../../../format/index/compatibility.ts';
import type { Head } from '../../../format/index/head.ts';
import type { PackageRecord } from '../../../format/index/record.ts';

export interface MonthDownloads {
  /** `2026-01`. */
  readonly month: string;
  readonly downloads: number;
}

export interface Dependent {
  readonly id: string;
  readonly description: string;
}

export interface BuildView {
  readonly id: string;
  /** One per version, highest first. */
  readonly records: readonly PackageRecord[];
  /** The record of the latest version. */
  readonly latest: PackageRecord;
  readonly head: Head;
  /** Where something was measured. */
  readonly compatibility: Compatibility | undefined;
  /** By version. */
  readonly capabilities: ReadonlyMap<string, CapabilityLists>;
  /** Oldest first, without gaps. */
  readonly months: readonly MonthDownloads[];
  /** Builds whose latest version requires this one: the first, and how many there are. */
  readonly dependents: readonly Dependent[];
  readonly dependentCount: number;
  /** Builds that provide a stack tag which the latest version requires, best first; a few of them. */
  readonly providers: Readonly<Record<string, readonly string[]>>;
}

/** What was measured about a version, where something was. */
export function measuredOf(
  { compatibility }: BuildView,
  version: string,
): Compatibility['versions'][number] | undefined {
  const found = compatibility?.versions.find((one) => one.version === version);
  return found === undefined || found.results.length === 0 ? undefined : found;
}

/** The version before `version` in order, which its changes are shown against: one that was not withdrawn. */
export function previousOf({ head }: BuildView, version: string): string | undefined {
  const at = head.versions.findIndex((one) => one.version === version);
  return head.versions.slice(at + 1).find((one) => one.withdrawn !== true)?.version;
}

/** Whether a version was withdrawn completely: nothing of its content is shown. */
export function isWithdrawn({ head }: BuildView, version: string): boolean {
  return head.versions.some((one) => one.version === version && one.withdrawn === true);
}
