/** The builds that a pull request changes, as merging leaves them: read, examined, and compared with the version before. */
import { sha256Hex } from '../../format/archive/integrity.ts';
import { checkBuildId } from '../../format/build/build-id.ts';
import { printable } from '../../format/build/file-path.ts';
import type { Manifest } from '../../format/build/manifest.ts';
import {
  finding,
  findingMessage,
  sortFindings,
  type Finding,
} from '../../format/finding/finding.ts';
import { type CapabilityLists, capabilitiesBeyond } from '../../format/index/capabilities.ts';
import { describeWaived, type Waived } from '../../format/index/waivers.ts';
import { MAX_MATRIX_BYTES, Matrix } from '../../format/index/compatibility.ts';
import type { FileChange, JudgedBuild } from './gate-verdict.ts';
import { buildFolder, signalsPath, type Layout } from '../../format/registry/repository-layout.ts';
import { compareVersions } from '../../format/version/semver-range.ts';
import type { ExaminedBuild } from '../../scan/examine-build.ts';
import type { Source } from '../../scan/source.ts';
import { checkStackRanges } from '../../scan/stack-range.ts';
import { GeneratorError } from '../errors.ts';
import type { ObjectReader } from '../git/object-reader.ts';
import type { Repository } from '../git/repository.ts';
import { readSource } from '../git/source.ts';
import type { Publication, PublishedHistory, Registry } from './registry.ts';
import { Moderation, type Waiver } from '../../format/registry/moderation.ts';
import { moderationPath, sortWaivers, waive } from '../waivers.ts';
import { entryAt, gateGit } from './git.ts';
import { readDocument } from '../git/read-document.ts';
import { capabilitiesInThread, proposalInThread } from './examination.ts';
import type { ChangedOwner } from './owners.ts';

/** A build folder in which something changes. */
export interface ChangedBuild {
  readonly id: string;
  /** Path of its folder. */
  readonly folder: string;
  /** Faults of the folder itself; with one, nothing else of it is read. */
  readonly misplaced: readonly Finding[];
  /** The newest version on the base branch. */
  readonly newest: Publication | undefined;
  /** The folder after merging; `undefined` when there is none. */
  readonly proposal: Proposal | undefined;
}

interface Proposal {
  /** Tree id. */
  readonly tree: string;
  readonly source: Source;
  /** Those that an admin accepted have the waiver. */
  readonly findings: readonly JudgedFinding[];
  /** Waivers for an earlier content of a file with the same finding. */
  readonly stale: readonly Waiver[];
  /** Absent for a folder that is no valid build. */
  readonly version: ProposedVersion | undefined;
}

type JudgedFinding = Finding & { readonly waived?: Waived | undefined };

interface ProposedVersion {
  readonly examined: NonNullable<ExaminedBuild['valid']>;
  readonly history: PublishedHistory;
  /** The highest version below it, or else the newest one, if there is one, with its files. */
  readonly previous: (Publication & { readonly source: Source }) | undefined;
  /** What the code can do that `previous` could not; `undefined` without one. */
  readonly gained: CapabilityLists | undefined;
  readonly lost: CapabilityLists | undefined;
  /** Ranges that the matrix proves wrong: they hold nothing up. */
  readonly measured: readonly Finding[];
  readonly files: readonly FileChange[];
  /** Changed files that are not listed. */
  readonly moreFiles: number;
}

const MAX_LISTED_FINDINGS = 200;
const MAX_LISTED_FILES = 200;
/** Git's name for a tree without entries, by the length of its object ids. */
const EMPTY_TREE: Readonly<Record<number, string>> = {
  40: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  64: '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321',
};

/**
 * Reads the builds of the owners whose folders the author may change: the faults of others are not reported to them.
 * @throws {GeneratorError} `ERR_GIT`
 */
export async function readBuilds(
  registry: Registry,
  ids: ReadonlySet<string>,
  owners: readonly ChangedOwner[],
): Promise<ChangedBuild[]> {
  const builds: ChangedBuild[] = [];
  for (const { owner, authority } of owners) {
    if (authority.role === 'nobody') continue;
    const own = [...ids].filter((id) => id.split('/')[0] === owner);
    for (const id of own.sort()) builds.push(await readBuild(registry, id));
  }
  return builds;
}

/** A build as the verdict lists it; nothing where no folder is left. */
export function judgedBuild({ id, proposal }: ChangedBuild): JudgedBuild[] {
  if (proposal === undefined) return [];
  const { findings, version } = proposal;
  if (version === undefined) {
    const listed = listedFindings(findings);
    return [{ id, version: '', previous: '', findings: listed, files: [], more_files: 0 }];
  }
  const { examined, previous, gained, lost, measured, files, moreFiles } = version;
  const { risk, quality, capabilities, build } = examined;
  return [
    {
      id,
      version: build.manifest.version,
      previous: previous?.version ?? '',
      risk,
      quality,
      findings: listedFindings([...findings, ...measured]),
      // Of a first version everything is new.
      gained: gained ?? capabilities,
      ...(lost === undefined ? {} : { lost }),
      files: [...files],
      more_files: moreFiles,
    },
  ];
}

async function readBuild(registry: Registry, id: string): Promise<ChangedBuild> {
  const { repository, reader, config, tree } = registry;
  const folder = buildFolder(id, config);
  const { mode, oid } = (await entryAt(repository.folder, tree, folder)) ?? {};
  const misplaced = await checkPlace(registry, id, mode);
  const about = { id, folder, misplaced };
  if (misplaced.length > 0) return { ...about, newest: undefined, proposal: undefined };
  await readNamesAhead(registry, folder);
  const history = await registry.history(id);
  const newest = await history.highest(() => true);
  if (oid === undefined || mode !== '040000') return { ...about, newest, proposal: undefined };
  const [owner = '', name = ''] = id.split('/');
  const source = await readSource(reader, oid, { isProposed: true });
  const { valid, findings } = await proposalInThread({ owner, name, source });
  const read = { tree: oid, source, findings, stale: [] };
  if (valid === undefined) return { ...about, newest, proposal: { ...read, version: undefined } };
  const { manifest } = valid.build;
  const { holding, stale } = await waiversOf(registry, id, manifest.version, source);
  const waived = waive(findings, holding);
  const isFound = (one: Waiver): boolean => {
    return waived.findings.some((f) => !f.waived && f.code === one.code && f.file === one.file);
  };
  const judged = { ...read, findings: waived.findings, stale: stale.filter(isFound) };
  const below = await history.highest((one) => compareVersions(one, manifest.version) < 0);
  const previous = below ?? (newest?.version === manifest.version ? undefined : newest);
  const old = previous === undefined ? undefined : await readSource(reader, previous.tree);
  const before = old && (await capabilitiesInThread({ owner, name, source: old }));
  const version = {
    examined: { ...valid, risk: waived.risk },
    history,
    previous: previous && old && { ...previous, source: old },
    // Of a version that is no valid build any more nothing is known: all is new.
    gained: before
      ? capabilitiesBeyond(valid.capabilities, before)
      : previous && valid.capabilities,
    lost: before && capabilitiesBeyond(before, valid.capabilities),
    measured: await measuredRanges(repository, reader, id, manifest, config),
    ...(await fileStatistic(repository.folder, previous?.tree, oid)),
  };
  return { ...about, newest, proposal: { ...judged, version } };
}

/** By the base branch: a pull request does not accept its own findings. A file that cannot be used accepts nothing. */
async function waiversOf(
  { repository, reader }: Registry,
  id: string,
  version: string,
  { files }: Source,
): ReturnType<typeof sortWaivers> {
  const entry = await entryAt(repository.folder, repository.head, moderationPath(id, repository));
  const isFile = entry?.mode === '100644';
  const read = isFile ? await readDocument(reader, Moderation, entry.oid) : undefined;
  const waivers = read === undefined || read instanceof Error ? [] : (read.waivers ?? []);
  return sortWaivers(waivers, version, (path) => {
    const bytes = files.find((file) => file.path === path)?.bytes;
    return bytes === undefined ? undefined : sha256Hex(bytes);
  });
}

/** Faults of the folder itself: its name, and a link or submodule in its place. A misplaced folder may be deleted. */
async function checkPlace(
  registry: Registry,
  id: string,
  mode: string | undefined,
): Promise<Finding[]> {
  if (mode === undefined) return [];
  const [owner = '', name = ''] = id.split('/');
  const found: Finding[] = [];
  if (mode === '120000') found.push(finding('build-id-symlink', ''));
  if (mode === '160000') found.push(finding('build-id-submodule', ''));
  // Listing a large registry is slow: only a name in upper case can have a twin.
  const ids = id === id.toLowerCase() ? undefined : (await registry.names()).ids;
  return [...found, ...checkBuildId({ owner, name }, (known) => ids?.has(known) === true)];
}

/**
 * A build that the base branch has no folder of is mostly new, and its name is compared with all others: they are read while
 * git reads the history. What goes wrong is reported where the names are needed.
 */
async function readNamesAhead(
  { reader, repository, names }: Registry,
  path: string,
): Promise<void> {
  const folder = await reader.read(`${repository.head}:${path}`);
  if (folder === undefined) names().catch(() => {});
}

/** Ranges that the matrix on the base branch proves wrong. */
async function measuredRanges(
  repository: Repository,
  reader: ObjectReader,
  id: string,
  manifest: Manifest,
  layout: Layout,
): Promise<Finding[]> {
  const path = signalsPath(id, 'matrix', layout);
  const entry = await entryAt(repository.folder, repository.head, path);
  if (entry === undefined || !entry.mode.startsWith('100')) return [];
  const matrix = await readDocument(reader, Matrix, entry.oid, MAX_MATRIX_BYTES);
  // The generator reports a file that cannot be used.
  if (matrix instanceof Error) return [];
  return checkStackRanges(manifest, undefined, matrix.versions);
}

/**
 * Which files change, and by how many lines.
 * @param before tree id of the previous version; `undefined` for a first version
 */
async function fileStatistic(
  folder: string,
  before: string | undefined,
  after: string,
): Promise<{ readonly files: readonly FileChange[]; readonly moreFiles: number }> {
  const options = ['-r', '-z', '--raw', '--numstat', '--no-renames', '--no-ext-diff'];
  const sides = [before ?? EMPTY_TREE[after.length] ?? '', after];
  const args = ['diff-tree', ...options, '--no-textconv', '--no-abbrev', ...sides];
  const { status, stdout, isCut, stderr } = await gateGit(folder, args);
  if (status !== 0 && !isCut) {
    throw new GeneratorError('ERR_GIT', `Cannot compare versions: git reports: ${stderr}`);
  }
  const changes = new Map<string, FileChange['change']>();
  const files: FileChange[] = [];
  const tokens = stdout.toString('utf8').split('\0');
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at] ?? '';
    if (token.startsWith(':')) {
      const [oldMode, mode] = token.slice(1).split(' ');
      changes.set(tokens[(at += 1)] ?? '', changeOf(oldMode, mode));
      continue;
    }
    const [, added, removed, path = ''] = /^(\d+|-)\t(\d+|-)\t([^]*)$/.exec(token) ?? [];
    if (path === '') continue;
    const lines = { added: Number(added) || 0, removed: Number(removed) || 0 };
    files.push({ path: printable(path), change: changes.get(path) ?? 'changed', ...lines });
  }
  const moreFiles = Math.max(0, files.length - MAX_LISTED_FILES);
  return { files: files.slice(0, MAX_LISTED_FILES), moreFiles };
}

function changeOf(oldMode: string | undefined, mode: string | undefined): FileChange['change'] {
  if (oldMode === '000000') return 'added';
  return mode === '000000' ? 'removed' : 'changed';
}

function listedFindings(findings: readonly JudgedFinding[]): JudgedBuild['findings'] {
  return sortFindings(findings)
    .slice(0, MAX_LISTED_FINDINGS)
    .map((found) => {
      const { level, code, file, place, waived } = found;
      const message = `${findingMessage(found)}${describeWaived(waived)}`;
      return { level, code, file, line: place?.line ?? 0, message };
    });
}
