/**
 * The gate: judges what merging a pull request would change in the registry. Both sides are read as git objects;
 * nothing of the head is checked out or run.
 */
import { isDeepStrictEqual } from 'node:util';
import { openSafeExamination, type SafeExamination } from '../../scan/safe-examination.ts';
import { isAccountOf, isBareLoginOf, type Person } from '../../format/registry/account.ts';
import type { GateVerdict, JudgedBuild, Reason } from '../../format/registry/gate-verdict.ts';
import { RegistryConfig, appealAddress } from '../../format/registry/registry-config.ts';
import { countedFrom, loadConfig } from '../config.ts';
import {
  besideEntries,
  layoutAt,
  laidOutEntries,
  movedPath,
  type BuildsEntry,
} from '../git/builds-entries.ts';
import { ObjectReader } from '../git/object-reader.ts';
import { openRepository } from '../git/repository.ts';
import { isPackaged } from '../packaged.ts';
import { judgedBuild, readBuilds } from './builds.ts';
import { registryOf } from './registry.ts';
import { MAX_CHANGES, readChanges } from './changes.ts';
import { gateGit, mergeSides, readDocument } from './git.ts';
import { readOwners, bareAdmin } from './owners.ts';
import { reason } from './reasons.ts';
import { checkAll } from './rules/all.ts';
import { CONFIG_FILE, type Layout } from '../../format/registry/repository-layout.ts';
import { printable } from '../../format/build/file-path.ts';
import { entryTypeOf } from '../git/source.ts';

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
  /** Seconds of processor time that the scan of one build may take; `MAX_SCAN_SECONDS` by default. */
  readonly scanSeconds?: number | undefined;
}

/** In the package, beside this code. */
const EXAMINER = new URL(isPackaged ? './examiner.mjs' : '../../scan/examiner.ts', import.meta.url);

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
    const range = `${base.head}...${head.head}`;
    const args = ['--literal-pathspecs', 'diff', '--quiet', '--no-ext-diff', range];
    return (await gateGit(repo, [...args, '--', root, CONFIG_FILE])).status !== 0;
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
  let examination: SafeExamination | undefined;
  const examiner = (): SafeExamination =>
    (examination ??= openSafeExamination(EXAMINER, request.scanSeconds));
  try {
    // What merging would give.
    const { config } = await loadConfig(opened, reader);
    const repository = await countedFrom(opened, config);
    const about = { base: repository.head, head, author: { ...author } };
    const merged = await mergeSides(repository.folder, { base: repository.head, head });
    if (!merged.ok) return verdictOf(about, config, merged.reasons);
    const { tree, baseTree } = merged;
    const [from, to] = [config, await layoutAt(reader, tree)];
    if (to.layout !== from.layout && to.root === from.root) {
      const reasons = await judgeMove(reader, { baseTree, tree, from, to }, author, config);
      return verdictOf({ ...about, tree }, config, reasons);
    }

    // What changes by that, whose it is, and what is built of it.
    const changes = await readChanges(repository.folder, baseTree, tree, from);
    if (changes === undefined) {
      return verdictOf({ ...about, tree }, config, [
        reason('gate-size', '', { limit: MAX_CHANGES }),
      ]);
    }
    // Its process starts while the rules about names and owners read what they need.
    if (changes.ids.size > 0) examiner();
    const registry = registryOf({ repository, reader, config, tree }, baseTree, changes.ids);
    const owners = await readOwners(registry, changes, author);
    const builds = await readBuilds(registry, changes.ids, owners, examiner);

    // What the rules say to it.
    const reasons = await checkAll({ ...registry, ...changes, owners, builds, author, now });
    return verdictOf({ ...about, tree }, config, reasons, builds.flatMap(judgedBuild));
  } finally {
    examination?.close();
    reader.close();
  }
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
    ...(config.layout === 'flat' ? {} : { layout: config.layout }),
    ...(tree === undefined ? {} : { tree }),
    reasons: [...reasons].sort((a, b) => (a.level === b.level ? 0 : a.level === 'refuse' ? -1 : 1)),
    builds: [...builds],
    ...(waiting === undefined ? {} : { waiting_hours: waiting }),
    ...(appeal === undefined || !isRefused ? {} : { appeal }),
    review_hours: verdict === 'review' ? config.review_hours : 0,
  };
}

/**
 * The move of a registry to another layout: the configuration names it, and every owner's folder is where the layout
 * has it, with the same content. Git names content by its digest, so equal ids are enough to compare.
 */
interface LayoutMove {
  /** Tree ids. */
  readonly baseTree: string;
  readonly tree: string;
  readonly from: Layout;
  readonly to: Layout;
}

/** @throws {GeneratorError} `ERR_GIT` */
async function judgeMove(
  reader: ObjectReader,
  move: LayoutMove,
  author: Person,
  { admins }: RegistryConfig,
): Promise<Reason[]> {
  const [from, to] = [move.from.layout, move.to.layout];
  if (!admins.some((admin) => isAccountOf(admin, author))) {
    const isBare = admins.some((admin) => isBareLoginOf(admin, author));
    return [isBare ? bareAdmin(author) : reason('gate-layout-admin', CONFIG_FILE)];
  }
  const wrong = (await otherChange(reader, move)) ?? (await wrongFolder(reader, move));
  if (wrong !== undefined) return [reason('gate-layout-only', printable(wrong), { from, to })];
  return [reason('gate-layout', CONFIG_FILE, { from, to })];
}

/** A path outside the builds and signals that the move changes: it may change the layout in the configuration, and no more. */
async function otherChange(
  reader: ObjectReader,
  { baseTree, tree, from }: LayoutMove,
): Promise<string | undefined> {
  const [before, after] = await Promise.all(
    [baseTree, tree].map(async (one) => {
      const entries = await besideEntries(reader, one, from.root);
      return new Map(entries.map((entry) => [entry.path, contentOf(entry)]));
    }),
  );
  const paths = new Set([...before!.keys(), ...after!.keys()]);
  const other = [...paths].find((path) => before!.get(path) !== after!.get(path));
  if (other !== undefined) return other;
  const configs = await Promise.all([baseTree, tree].map((one) => readConfig(reader, one)));
  const [was, is] = configs.map((config) => ({ ...config, layout: undefined }));
  return configs.includes(undefined) || !isDeepStrictEqual(was, is) ? CONFIG_FILE : undefined;
}

/** The configuration of a tree; `undefined` where it cannot be used. */
async function readConfig(reader: ObjectReader, tree: string): Promise<RegistryConfig | undefined> {
  const object = await reader.read(`${tree}:${CONFIG_FILE}`);
  if (object === undefined) return RegistryConfig.parse({});
  const config = await readDocument(reader, RegistryConfig, object.oid);
  return config instanceof Error ? undefined : config;
}

/** A path in the folder of builds or of signals that is not what the move makes of the base branch. */
async function wrongFolder(
  reader: ObjectReader,
  { baseTree, tree, from, to }: LayoutMove,
): Promise<string | undefined> {
  const before = await laidOutEntries(reader, baseTree, from);
  const wanted = new Map(before.map((entry) => [movedPath(entry, to), contentOf(entry)]));
  const folders = before.filter(({ mode }) => entryTypeOf(mode) === 'folder');
  const misplaced = folders.find(({ place }) => place.kind !== 'owner');
  if (misplaced !== undefined) return misplaced.path;
  for (const entry of await laidOutEntries(reader, tree, to)) {
    if (wanted.get(entry.path) !== contentOf(entry)) return entry.path;
    wanted.delete(entry.path);
  }
  return wanted.keys().next().value;
}

function contentOf({ mode, oid }: BuildsEntry): string {
  return `${mode} ${oid}`;
}
