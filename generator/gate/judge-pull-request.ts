/**
 * The gate: judges what merging a pull request would change in the registry. Both sides are read as git objects;
 * nothing of the head is checked out or run.
 */
import { type Person } from '../../format/registry/account.ts';
import type { GateVerdict, JudgedBuild, Reason } from './gate-verdict.ts';
import { type RegistryConfig, appealAddress } from '../../format/registry/registry-config.ts';
import { countedFrom, loadConfig } from '../config.ts';
import { ObjectReader } from '../git/object-reader.ts';
import { startExaminer } from './examination.ts';
import { openRepository, type Repository } from '../git/repository.ts';
import { judgedBuild, readBuilds } from './builds.ts';
import { registryOf } from './registry.ts';
import { readCommits, timeProblem } from '../git/commits.ts';
import { readChanges, touchesFolder } from './changes.ts';
import { commonCommit, mergeSides } from './git.ts';
import { readOwners } from './owners.ts';
import { reason } from './reasons.ts';
import { checkAll } from './rules/all.ts';

interface PullRequest {
  /** Folder of the repository. */
  readonly repo: string;
  /** Names of commits. */
  readonly base: string;
  readonly head: string;
  /** Who opened it, from the code host's event. */
  readonly author: Person;
  /** The present, in UTC, as records write times. */
  readonly now: string;
}

/**
 * Whether a pull request changes something of a registry that is a folder of a larger repository: others are not the gate's.
 * @throws {GeneratorError} as `judgePullRequest`
 */
export async function isOfRegistry({
  repo,
  ...sides
}: Pick<PullRequest, 'repo' | 'base' | 'head'>): Promise<boolean> {
  const base = await openRepository(repo, sides.base);
  const head = await openRepository(repo, sides.head);
  const reader = new ObjectReader(repo);
  try {
    const { root } = (await loadConfig(base, reader)).config;
    if (root === '') return true;
    const common = await commonCommit(repo, { base: base.head, head: head.head });
    const trees = [common ?? base.head, head.head].map((commit) => `${commit}^{tree}`);
    const [before, after] = await reader.describeAll(trees);
    return await touchesFolder(reader, before?.oid, after?.oid, root);
  } finally {
    reader.close();
  }
}

/** @throws {GeneratorError} when the repository, a side, or the configuration cannot be read */
export async function judgePullRequest(request: PullRequest): Promise<GateVerdict> {
  const { author, now } = request;
  const opened = await openRepository(request.repo, request.base);
  const { head } = await openRepository(request.repo, request.head);
  const reader = new ObjectReader(opened.folder, { mapsAll: true });
  try {
    // What merging would give.
    const { config } = await loadConfig(opened, reader);
    const repository = await countedFrom(opened, config);
    const about = { base: repository.head, head, author: { ...author } };
    const unusable = await checkBranch(repository, reader, { config, head, now });
    if (unusable.length > 0) return verdictOf(about, config, unusable);
    const merged = await mergeSides(repository.folder, { base: repository.head, head });
    if (!merged.ok) return verdictOf(about, config, merged.reasons);
    const { tree, baseTree } = merged;
    // What changes by that, whose it is, and what is built of it.
    const changes = await readChanges(reader, baseTree, tree, config);
    if ('reasons' in changes) return verdictOf({ ...about, tree }, config, changes.reasons);
    // Its thread starts while the rules about names and owners read what they need.
    if (changes.ids.size > 0) startExaminer();
    const registry = registryOf({ repository, reader, config, tree }, baseTree, changes.ids);
    const owners = await readOwners(registry, changes, author);
    const builds = await readBuilds(registry, changes.ids, owners);

    // What the rules say to it.
    const reasons = await checkAll({ ...registry, ...changes, owners, builds, author, now });
    return verdictOf({ ...about, tree }, config, reasons, builds.flatMap(judgedBuild));
  } finally {
    reader.close();
  }
}

/** What is wrong with the commits of the branch: git gets only trees that were read, and times that a code host may keep as they are. */
async function checkBranch(
  repository: Repository,
  reader: ObjectReader,
  { config, head, now }: { config: RegistryConfig; head: string; now: string },
): Promise<readonly Reason[]> {
  const base = repository.head;
  const common = await commonCommit(repository.folder, { base, head });
  if (common === undefined) return [];
  const [before, after] = await reader.describeAll([`${common}^{tree}`, `${head}^{tree}`]);
  if (after === undefined) return [reason('gate-unreadable', '', { problem: 'it is missing' })];
  const changes = await readChanges(reader, before?.oid, after.oid, config);
  if ('reasons' in changes) return changes.reasons;
  const range = `${common}..${head}`;
  for await (const part of readCommits(repository, reader, range, 'new-first')) {
    for (const { oid: commit, time } of part) {
      const problem = timeProblem(time, new Date(now));
      if (problem !== undefined) return [reason('gate-commit-time', '', { commit, problem })];
    }
  }
  return [];
}

/**
 * The period after which a pull request is merged without an admin's answer, if the registry configures one.
 * @param reasons of a verdict `review`
 * @returns hours, the longest of all reasons; `undefined` when one of them has no period: then an admin must look
 */
export function waitingHours(
  reasons: readonly Reason[],
  config: RegistryConfig,
): number | undefined {
  const periods: Readonly<Record<string, number | undefined>> = config.waiting_hours;
  let longest: number | undefined;
  for (const { code } of reasons) {
    const hours = Object.hasOwn(periods, code) ? periods[code] : undefined;
    if (hours === undefined) return undefined;
    longest = Math.max(longest ?? 0, hours);
  }
  return longest;
}

function verdictOf(
  { tree, ...about }: Pick<GateVerdict, 'base' | 'head' | 'author' | 'tree'>,
  config: RegistryConfig,
  reasons: readonly Reason[],
  builds: readonly JudgedBuild[] = [],
): GateVerdict {
  const isRefused = reasons.some((one) => one.level === 'refuse');
  const verdict = isRefused ? 'refuse' : reasons.length > 0 ? 'review' : 'merge';
  const appeal = appealAddress(config);
  const waiting = verdict === 'review' ? waitingHours(reasons, config) : undefined;
  return {
    interface: 1,
    verdict,
    ...about,
    ...(config.root === '' ? {} : { root: config.root }),
    ...(tree === undefined ? {} : { tree }),
    reasons: [...reasons].sort((a, b) => (a.level === b.level ? 0 : a.level === 'refuse' ? -1 : 1)),
    builds: [...builds],
    ...(waiting === undefined ? {} : { waiting_hours: waiting }),
    ...(appeal === undefined || !isRefused ? {} : { appeal }),
    review_hours: verdict === 'review' ? config.review_hours : 0,
  };
}
