/** Newer versions than those that were chosen or are installed, and what keeps a project from them. */
import type { HeadVersion } from '../../format/index/record.ts';
import type { Lock } from '../../format/project/lock.ts';
import { compareVersions, satisfies } from '../../format/version/semver-range.ts';
import type { Warning } from '../plan/plan.ts';
import { nodeInUse } from '../project/stack/node-in-use.ts';
import { readStack } from '../project/stack/read-stack.ts';
import { namesExactly } from '../resolve/request.ts';
import { updateRequests } from '../resolve/update-requests.ts';
import { usableVersions } from '../project/installed-notes.ts';
import { KnownHeads } from './known-heads.ts';
import { optional } from '../registry/registry.ts';
import type { Registries } from '../registry/registries.ts';

type Asked = Parameters<KnownHeads['resolve']>[0];

/**
 * A warning for each build of a solution of which there is a newer version, in what the user and other builds ask for. An update
 * looks beyond the ranges that the lock records, but not beyond exact ones.
 */
export async function passedOver(
  asked: Asked,
  chosen: ReadonlyMap<string, HeadVersion>,
  known: KnownHeads,
): Promise<Warning[]> {
  const { requests, movable = new Map() } = asked;
  const warnings: Warning[] = [];
  for (const [id, { version }] of chosen) {
    const installed = movable.get(id);
    if (installed?.requirement === 'keep') continue;
    const isRaised = installed?.requirement === 'raise';
    const own = requests.filter((request) => request.id === id).map(({ range = '*' }) => range);
    const named = isRaised ? own.filter((range) => namesExactly({ range }, version)) : own;
    const others = [...asked.locked.values(), ...chosen.values()];
    const ranges = [...named, ...others.flatMap(({ builds }) => builds[id] ?? [])];
    const newest = usableVersions(known.heads.get(id)).find((other) =>
      ranges.every((range) => satisfies(other, range)),
    );
    if (newest === undefined || compareVersions(newest, version) <= 0) continue;
    const verb = installed?.version === version ? 'Kept' : 'Chose';
    const way = isRaised
      ? `, which "stackyard update ${id} --latest" takes`
      : ', which does not go with the newest versions of the others';
    const problem = await problemWith(known, asked, id, newest);
    const why = problem === undefined ? way : clauseOf(problem, id, newest);
    const message = `${verb} "${id}" ${version} instead of ${newest}${why}`;
    warnings.push({ code: 'version-passed-over', message, path: '' });
  }
  return warnings;
}

/** By id: what keeps an installed build from a newer version, as a sentence. */
export async function problemsWith(
  project: string,
  registry: Registries,
  lock: Lock,
  newer: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const problems = new Map<string, string>();
  if (newer.size === 0) return problems;
  const stack = await optional(async () => readStack(project, await nodeInUse(project)));
  if (stack === undefined) return problems;
  const known = new KnownHeads(registry, undefined, new Map(Object.entries(lock.builds)));
  for (const [id, version] of newer) {
    const wanted = updateRequests({ lock, requests: [{ id, range: version }], latest: false });
    const problem = await problemWith(known, { ...wanted, locked: new Map(), stack }, id, version);
    if (problem !== undefined) problems.set(id, problem);
  }
  return problems;
}

/** What the resolver says to `version`; `undefined` where it could be chosen, or where that is not known. */
async function problemWith(
  known: KnownHeads,
  { requests, ...asked }: Asked,
  id: string,
  version: string,
): Promise<string | undefined> {
  const others = requests.filter((request) => request.id !== id);
  const wanted = { ...asked, requests: [...others, { id, range: version }] };
  const resolution = await optional(() => known.resolve(wanted));
  // The request stands for the version.
  const byName = `, but you asked for "${id}" ${version}`;
  return resolution?.kind === 'conflict' ? resolution.message.replace(byName, '') : undefined;
}

/** The sentence `problem` after a text that ends with the version. */
export function clauseOf(problem: string, id: string, version: string): string {
  const about = `"${id}" ${version} `;
  return problem.startsWith(about) ? `, which ${problem.slice(about.length)}` : `: ${problem}`;
}
