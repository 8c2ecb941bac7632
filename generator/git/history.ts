/** The main line of a repository as a stream: every first-parent commit that touched some path. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { MANIFEST_FILE } from '../../format/build/build-files.ts';
import { MAX_MANIFEST_BYTES } from '../../format/build/manifest-json.ts';
import { declaredVersion } from '../../format/build/manifest.ts';
import { GeneratorError } from '../errors.ts';
import type { ObjectReader } from './object-reader.ts';
import { gitEnvironment, MAPPED_PACKS, type Repository } from './repository.ts';

/** One changed entry of a commit, against its first parent. */
export interface Change {
  readonly path: Buffer;
  /** Octal mode after the commit; `000000` when the entry is gone, `040000` for a folder. */
  readonly mode: string;
  /** Object id after the commit. */
  readonly oid: string;
}

export interface MainLineCommit {
  readonly oid: string;
  /** Committer time, seconds since 1970. */
  readonly seconds: number;
  /** Changed entries, folders as well as files, a folder before its content. */
  readonly changes: readonly Change[];
}

/**
 * Reads the main line from old to new, only commits that touched one of `paths`.
 * @param since an indexed commit: only what came after it is read; by default `from` of the repository
 * @throws {GeneratorError} `ERR_GIT`
 */
export async function* readMainLine(
  repository: Repository,
  paths: readonly string[],
  since?: string,
): AsyncGenerator<MainLineCommit> {
  const start = since ?? repository.from;
  const range = start === undefined ? repository.head : `${start}..${repository.head}`;
  // The user's configuration must not change this output, so every such setting is set here.
  const settings = [...MAPPED_PACKS, '-c', 'log.showRoot=true', '-c', 'core.quotePath=true'];
  const line = ['--first-parent', '--diff-merges=first-parent', '--reverse'];
  const diff = ['--raw', '-r', '-t', '-z', '--no-abbrev', '--no-renames', '--no-ext-diff'];
  const form = ['--ignore-submodules=none', '--no-show-signature', '--no-color'];
  const format = '--format=tformat:%x01%H%x00%ct';
  const args = [...settings, 'log', ...line, ...diff, ...form, format, range, '--', ...paths];
  const child = spawn('git', args, {
    cwd: repository.folder,
    env: gitEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const closed = once(child, 'close');
  try {
    yield* parseLog(child.stdout);
    const [status] = (await closed) as [number | null];
    if (status !== 0)
      throw new GeneratorError('ERR_GIT', `Cannot read history: git reports: ${stderr}`);
  } finally {
    child.kill();
  }
}

/** Parses `\x01<oid>\0<seconds>\0\n:<modes and ids> <status>\0<path>\0...` as it arrives. */
export async function* parseLog(chunks: AsyncIterable<Buffer>): AsyncGenerator<MainLineCommit> {
  let commit: { oid: string; seconds: number; changes: Change[] } | undefined;
  let meta: string | undefined;
  let awaitsTime: string | undefined;
  for await (const token of splitAtNul(chunks)) {
    if (meta !== undefined) {
      const [, mode = '', , oid = ''] = meta.split(' ');
      commit?.changes.push({ path: token, mode, oid });
      meta = undefined;
    } else if (awaitsTime !== undefined) {
      commit = { oid: awaitsTime, seconds: Number(token.toString('latin1')), changes: [] };
      awaitsTime = undefined;
    } else if (token[0] === 0x01) {
      if (commit !== undefined) yield commit;
      awaitsTime = token.toString('latin1', 1);
    } else {
      meta = token.toString('latin1').trimStart();
    }
  }
  if (commit !== undefined) yield commit;
}

async function* splitAtNul(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const data = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let start = 0;
    for (let end = data.indexOf(0); end >= 0; end = data.indexOf(0, start)) {
      yield data.subarray(start, end);
      start = end + 1;
    }
    rest = data.subarray(start);
  }
  if (rest.length > 0) yield rest;
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
  const object = await reader.read(`${tree}:${MANIFEST_FILE}`, { left: MAX_MANIFEST_BYTES });
  return object?.type === 'blob' && object.bytes !== undefined
    ? declaredVersion(object.bytes)
    : undefined;
}
