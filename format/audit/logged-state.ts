/** What the entries of a log add up to. Pure. */
import { type LogEntry, tombstoneOf } from '../log/entry.ts';

/** A version as its entries leave it. */
export interface LoggedVersion {
  readonly index: number;
  readonly integrity: string;
  readonly commit: string;
  readonly tree: string;
  readonly published_at: string;
  isYanked: boolean;
  isTakenDown: boolean;
}

export interface LoggedBuild {
  readonly versions: Map<string, LoggedVersion>;
  /** Integrity of the newest deprecation. */
  deprecation?: string;
}

/** Builds by id, in the order of their first entry; entries that contradict earlier ones are problems. */
export function loggedState(entries: readonly LogEntry[]): {
  builds: ReadonlyMap<string, LoggedBuild>;
  problems: readonly { where: string; problem: string }[];
} {
  const builds = new Map<string, LoggedBuild>();
  const problems: { where: string; problem: string }[] = [];
  for (const [index, entry] of entries.entries()) {
    if (entry.type === 'owner' || entry.type === 'key' || entry.type === 'map') continue;
    if (entry.type === 'refuse') {
      const { id, version } = tombstoneOf(entry) ?? {};
      const gone = [...(builds.get(id ?? '')?.versions ?? [])].filter(
        ([one]) => one === (version ?? one),
      );
      if (id !== undefined && gone.length === 0) {
        problems.push({
          where: id,
          problem: `is taken down before it is published in entry ${index}`,
        });
      }
      for (const [, one] of gone) one.isTakenDown = true;
      continue;
    }
    const build = builds.get(entry.id) ?? { versions: new Map<string, LoggedVersion>() };
    builds.set(entry.id, build);
    const refuse = (problem: string): void => {
      problems.push({ where: entry.id, problem: `${problem} in entry ${index}` });
    };
    if (entry.type === 'deprecate') {
      if (build.versions.size === 0) refuse('is deprecated before it has a version');
      build.deprecation = entry.integrity;
      continue;
    }
    const known = build.versions.get(entry.version);
    if (entry.type !== 'publish') {
      if (known === undefined)
        refuse(`${entry.version} has a ${entry.type} before it is published`);
      else known.isYanked = entry.type === 'yank';
      continue;
    }
    if (known !== undefined) {
      refuse(`${entry.version} is published again`);
      continue;
    }
    const { integrity, commit, tree, published_at, version } = entry;
    const state = { isYanked: false, isTakenDown: false };
    build.versions.set(version, { index, integrity, commit, tree, published_at, ...state });
  }
  return { builds, problems };
}
