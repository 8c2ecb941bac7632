/** What the entries of a log add up to. Pure. */
import type { LogEntry } from '../log/entry.ts';

interface LoggedVersion {
  readonly index: number;
  readonly integrity: string;
  readonly commit: string;
  readonly tree: string;
  readonly published_at: string;
  isYanked: boolean;
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
    if (entry.type === 'refuse') continue;
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
    build.versions.set(version, { index, integrity, commit, tree, published_at, isYanked: false });
  }
  return { builds, problems };
}
