/** The main line of a repository as a stream: every first-parent commit, with what it changed in the folders that are read. */
import { MANIFEST_FILE } from '../../format/build/build-files.ts';
import { MAX_MANIFEST_BYTES } from '../../format/build/manifest-json.ts';
import { declaredVersion } from '../../format/build/manifest.ts';
import { describeCommits, readCommits, type Commit } from './commits.ts';
import type { ObjectReader } from './object-reader.ts';
import type { Repository } from './repository.ts';
import { gitText, MAPPED_PACKS } from './run-git.ts';
import {
  compareTrees,
  MAX_TREE_BYTES,
  treeEntries,
  Trees,
  type TreeChange,
  type Unreadable,
} from './trees.ts';

interface MainLineCommit extends Commit {
  /** Against its first parent: entries beside and in the folders that are read, a folder before its content. */
  readonly changes: readonly TreeChange[];
  /** What it has there that cannot be read. */
  readonly unreadable: readonly Unreadable[];
}

/** In one commit: a registry that is imported has a folder and a file for each owner. */
const MAX_CHANGES = 250_000;
/** Of trees that are held for several commits at once. */
const HELD_BYTES = 64_000_000;

/**
 * Reads the main line from old to new.
 * @param isRead whether the content of a folder is read; the top of the repository always is
 * @param since an indexed commit: only what came after it is read; by default `from` of the repository
 * @throws {GeneratorError} `ERR_GIT`
 */
export async function* readMainLine(
  repository: Repository,
  reader: ObjectReader,
  isRead: (path: string) => boolean,
  since?: string,
): AsyncGenerator<MainLineCommit> {
  const start = since ?? repository.from;
  const range = start === undefined ? repository.head : `${start}..${repository.head}`;
  const trees = new Trees(reader);
  const bounds = { entries: MAX_CHANGES, isEntered: isRead };
  const [first] = start === undefined ? [] : await reader.describeAll([`${start}^{tree}`]);
  let before = first?.oid;
  for await (const part of readCommits(repository, reader, range, 'old-first')) {
    for (let at = 0; at < part.length;) {
      const width = Math.max(1, Math.floor(HELD_BYTES / Math.max(1, trees.largest)));
      trees.clear();
      const commits = part.slice(at, (at += trees.largest === 0 ? 1 : width));
      const read = commits.map(async (commit): Promise<MainLineCommit> => {
        const { tree } = commit;
        if (tree === undefined) return { ...commit, changes: [], unreadable: [NO_COMMIT] };
        const parent = before;
        before = tree;
        const { isCut, ...compared } = await compareTrees(trees, parent, tree, bounds);
        return { ...commit, ...(isCut ? { changes: [], unreadable: [TOO_MANY] } : compared) };
      });
      yield* await Promise.all(read);
    }
  }
}

const NO_COMMIT: Unreadable = { path: '', problem: 'the object of the commit cannot be used' };
const TOO_MANY: Unreadable = {
  path: '',
  problem: `it leads to more than ${MAX_CHANGES} changes, or to ${MAX_TREE_BYTES} bytes of folders`,
};

/**
 * The dated commits of the main line that changed one folder, from old to new, with its tree. Of a single path git may know this without
 * reading trees.
 * @throws {GeneratorError} `ERR_GIT`
 */
export async function commitsWith(
  { folder: repository, head, from }: Repository,
  reader: ObjectReader,
  folder: string,
): Promise<readonly { readonly commit: string; readonly tree: string }[]> {
  const range = from === undefined ? head : `${from}..${head}`;
  const paths = ['--', `:(literal)${folder}`];
  const args = [...MAPPED_PACKS, 'rev-list', '--first-parent', '--reverse', range, ...paths];
  const oids = (await gitText(repository, args)).split('\n').filter((oid) => oid !== '');
  const [commits, trees] = [
    await describeCommits(reader, oids),
    await reader.describeAll(oids.map((oid) => `${oid}:${folder}`)),
  ];
  return commits.flatMap(({ oid: commit, time }, at) => {
    const { type, oid: tree } = trees[at] ?? {};
    return type === 'tree' && tree !== undefined && time !== undefined ? [{ commit, tree }] : [];
  });
}

/** The role of a build folder for the version that its manifest declares. */
type CandidateRole = 'publishes-if-valid' | 'repeats' | 'violates' | 'duplicates';

/** A version and the build folder that carries it. */
interface VersionTree {
  readonly version: string;
  /** Tree id of the folder. */
  readonly tree: string;
}

/**
 * Applies the rule by which a commit publishes a version, for the index and for the gate, to one build folder:
 *
 * 1. Only the main line counts (first parent), from old to new.
 * 2. The first commit whose build folder is a valid build and whose manifest carries a version publishes it.
 * 3. The same content again changes nothing. Other content under the same version is a violation: the first
 *    publication stays.
 * 4. Build metadata makes no second version: a version with the precedence of a publication and another text is
 *    not published, because resolvers could not choose between the two. The first publication stays.
 * @param publication what the main line published earlier with the same precedence, if anything
 */
export function roleOf(
  { version, tree }: VersionTree,
  publication: VersionTree | undefined,
): CandidateRole {
  if (publication === undefined) return 'publishes-if-valid';
  if (publication.version !== version) return 'duplicates';
  return publication.tree === tree ? 'repeats' : 'violates';
}

/**
 * The version that the manifest of a build folder carries; `undefined` without a manifest or a version.
 * @param tree tree id of the folder
 * @throws {GeneratorError} `ERR_GIT`
 */
export async function readDeclaredVersion(
  reader: ObjectReader,
  tree: string,
): Promise<string | undefined> {
  // Git ends at a damaged tree, and with it the reader: the name is looked up here.
  const { type, bytes = Buffer.alloc(0) } =
    (await reader.read(tree, { left: MAX_TREE_BYTES })) ?? {};
  if (type !== 'tree') return undefined;
  for (const { name, oid } of treeEntries(bytes, tree.length / 2)) {
    if (name.toString('latin1') !== MANIFEST_FILE) continue;
    const object = await reader.read(oid, { left: MAX_MANIFEST_BYTES });
    return object?.type === 'blob' && object.bytes !== undefined
      ? declaredVersion(object.bytes)
      : undefined;
  }
  return undefined;
}
