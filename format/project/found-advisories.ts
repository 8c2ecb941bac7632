/** The advisories about versions, as heads have them, and the first version without. Pure; heads are hostile. */
import { isAdvisoryId, isOsvId } from '../advisory/advisory.ts';
import type { Head, HeadVersion } from '../index/record.ts';
import type { Lock } from './lock.ts';
import { compareVersions, firstPublications, isPrerelease } from '../version/semver-range.ts';

/** A head, maybe without versions that a rule on age hides. */
type KnownHead = Pick<Head, 'id' | 'versions'> & {
  readonly hidden?: readonly { readonly version: HeadVersion }[];
};

/** A package of which every admitted version has a known fault. */
interface FoundPackage {
  readonly ecosystem: string;
  readonly name: string;
  readonly range: string;
}

/** An advisory about a version of a build. */
export interface FoundAdvisory {
  readonly id: string;
  readonly build: string;
  readonly version: string;
  /** The package that the version brings and that the advisory is about; absent for one about the build. */
  readonly package?: FoundPackage;
  /** The lowest higher version that no advisory is about; absent while there is none. */
  readonly good?: string;
  /** Why the project ignores it. */
  readonly ignored?: string;
}

/** Advisories that a project ignores, as its lock has them. */
type Ignored = NonNullable<Lock['ignored']>;

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
  const found = own === undefined ? [] : listed(own);
  if (head === undefined || found.length === 0) return [];
  const good = firstGood(head, version);
  return found.map(({ id, ...about }) => {
    const reason = ignoredFor(ignored, id, head.id);
    return {
      id,
      build: head.id,
      version,
      ...about,
      ...(good === undefined ? {} : { good }),
      ...(reason === undefined ? {} : { ignored: reason }),
    };
  });
}

/** A sentence about advisories, or `undefined` without any. What the lock ignores is told with its reason: others may have written it. */
export function advisorySentence(found: readonly FoundAdvisory[]): string | undefined {
  const [first] = found;
  if (first === undefined) return undefined;
  const ids = found
    .map(({ id, package: about, ignored }) => {
      const name = about && `${about.ecosystem} ${about.name} ${about.range}`;
      const notes = [name, ignored && `ignored by the lock: ${ignored}`].filter(Boolean);
      return notes.length === 0 ? id : `${id} (${notes.join('; ')})`;
    })
    .join(', ');
  const end =
    first.good === undefined ? 'no version without it yet' : `first good version ${first.good}`;
  return `${found.length === 1 ? 'advisory' : 'advisories'} ${ids}, ${end}`;
}

function firstGood({ versions, hidden = [] }: KnownHead, version: string): string | undefined {
  const all = firstPublications([...versions, ...hidden.map((one) => one.version)]);
  return all
    .filter((one) => one.status.is === 'open' && !isPrerelease(one.version))
    .filter((one) => compareVersions(one.version, version) > 0)
    .filter((one) => listed(one).length === 0)
    .map((one) => one.version)
    .sort(compareVersions)[0];
}

/** Those about the build first, then those about its packages. */
function listed({
  advisories = [],
  packages = [],
}: HeadVersion): Pick<FoundAdvisory, 'id' | 'package'>[] {
  const own = [...new Set(advisories.filter(isAdvisoryId))].sort();
  return [
    ...own.map((id) => ({ id })),
    ...packages.flatMap(({ advisories: ids, ...about }) =>
      ids.filter(isOsvId).map((id) => ({ id, package: about })),
    ),
  ];
}

/** An advisory is ignored for the builds that it was ignored for, should it be about others later. */
function ignoredFor(ignored: Ignored, id: string, build: string): string | undefined {
  const entry = Object.hasOwn(ignored, id) ? ignored[id] : undefined;
  return entry?.builds.includes(build) === true ? entry.reason : undefined;
}
