/** The advisories about versions, as heads have them, and the first version without. Pure; heads are hostile. */
import { isAdvisoryId } from '../../format/advisory/advisory.ts';
import type { HeadVersion } from '../../format/index/head.ts';
import type { Lock } from '../../format/lock.ts';
import { compareVersions, isPrerelease } from '../../format/version/semver-range.ts';
import { firstPublications } from './first-publications.ts';
import type { KnownHead } from './known-head.ts';

/** An advisory about a version of a build. */
export interface FoundAdvisory {
  readonly id: string;
  readonly build: string;
  readonly version: string;
  /** The lowest higher version that no advisory is about; absent while there is none. */
  readonly good?: string;
  /** Why the project ignores it. */
  readonly ignored?: string;
}

/** Advisories that a project ignores, as its lock has them. */
export type Ignored = NonNullable<Lock['ignored']>;

/** Those about the installed versions, sorted by build and id. A build from a source is not the published one. */
export function installedAdvisories(
  { builds, ignored }: Pick<Lock, 'builds' | 'ignored'>,
  heads: ReadonlyMap<string, KnownHead>,
): FoundAdvisory[] {
  return Object.entries(builds)
    .filter(([, { source }]) => source === undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([id, { version }]) => advisoriesOf(heads.get(id), version, ignored));
}

/** Those about one version. */
export function advisoriesOf(
  head: KnownHead | undefined,
  version: string,
  ignored: Ignored = {},
): FoundAdvisory[] {
  const own = head?.versions.find((one) => one.version === version);
  const ids = own === undefined ? [] : idsOf(own);
  if (head === undefined || ids.length === 0) return [];
  const good = firstGood(head, version, ignored);
  return ids.map((id) => {
    const reason = ignoredFor(ignored, id, head.id);
    return {
      id,
      build: head.id,
      version,
      ...(good === undefined ? {} : { good }),
      ...(reason === undefined ? {} : { ignored: reason }),
    };
  });
}

/** A sentence about the advisories that count, or `undefined` without any. */
export function advisorySentence(found: readonly FoundAdvisory[]): string | undefined {
  const counted = found.filter(({ ignored }) => ignored === undefined);
  const [first] = counted;
  if (first === undefined) return undefined;
  const ids = counted.map(({ id }) => id).join(', ');
  const end =
    first.good === undefined ? 'no version without it yet' : `first good version ${first.good}`;
  return `${counted.length === 1 ? 'advisory' : 'advisories'} ${ids}, ${end}`;
}

function firstGood(
  { id, versions, hidden = [] }: KnownHead,
  version: string,
  ignored: Ignored,
): string | undefined {
  const all = firstPublications([...versions, ...hidden.map((one) => one.version)]);
  return all
    .filter((one) => one.yanked === false && !isPrerelease(one.version))
    .filter((one) => compareVersions(one.version, version) > 0)
    .filter((one) => idsOf(one).every((found) => ignoredFor(ignored, found, id) !== undefined))
    .map((one) => one.version)
    .sort(compareVersions)[0];
}

function idsOf({ advisories = [] }: HeadVersion): string[] {
  return [...new Set(advisories.filter(isAdvisoryId))].sort();
}

/** An advisory is ignored for the builds that it was ignored for, should it be about others later. */
function ignoredFor(ignored: Ignored, id: string, build: string): string | undefined {
  const entry = Object.hasOwn(ignored, id) ? ignored[id] : undefined;
  return entry?.builds.includes(build) === true ? entry.reason : undefined;
}
