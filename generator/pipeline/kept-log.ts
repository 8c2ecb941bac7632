/**
 * The log in the repository: a branch with the checkpoint and the entries, at the paths that they have in the index. A registry
 * whose host is lost is rebuilt from it byte for byte, for rules change and the log is the only record of what they decided.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { LOG_FOLDER } from '../../format/index/layout.ts';
import { parseUnverifiedNote, type Checkpoint } from '../../format/log/checkpoint.ts';
import { isSigned } from '../../format/log/note.ts';
import { TILE_WIDTH, bundlePath } from '../../format/log/tile.ts';
import { GeneratorError } from '../errors.ts';
import type { ObjectReader } from '../git/object-reader.ts';
import { gitEnvironment } from '../git/run-git.ts';
import type { ReadPublished } from '../log/published-log.ts';

/** The name of the branch. */
export const LOG_BRANCH = 'stackyard-log';

/** The branch of this clone, and that of the repository it was cloned from. */
const REFS = [`refs/heads/${LOG_BRANCH}`, `refs/remotes/origin/${LOG_BRANCH}`];

/** The logs that the clone of `reader` keeps; a branch that is not there has no checkpoint. */
export function readKeptLogs(reader: ObjectReader): ReadPublished[] {
  return REFS.map((ref) => async (path) => (await reader.read(`${ref}:${path}`))?.bytes);
}

/** What `keepLog` did. */
interface KeptLog {
  /** Entries of the log. */
  readonly size: number;
  /** How many of them are new to the branch. */
  readonly added: number;
}

/**
 * Writes the log of a published index into the branch of the clone at `folder`, as a new commit where it has grown.
 * @param read a published index
 * @throws {GeneratorError} `ERR_LOG_PUBLISHED` for an index without a whole log, `ERR_LOG_FORK` when a signed log does not
 * continue the one in the branch, `ERR_GIT`
 */
export async function keepLog(
  folder: string,
  reader: ObjectReader,
  read: ReadPublished,
): Promise<KeptLog> {
  const [branch, origin] = readKeptLogs(reader) as [ReadPublished, ReadPublished];
  const isLocal = (await branch(CHECKPOINT)) !== undefined;
  const kept = isLocal ? branch : origin;
  const note = await readText(read, CHECKPOINT);
  const { size } = checkpointOf(note);
  const keptNote = await kept(CHECKPOINT);
  const before = keptNote === undefined ? 0 : checkpointOf(Buffer.from(keptNote).toString()).size;
  if (before === size && Buffer.from(keptNote ?? '').toString() === note) return { size, added: 0 };
  const isContinued = await continues(read, kept, size, before);
  if (!isContinued && isSigned(note)) {
    throw new GeneratorError(
      'ERR_LOG_FORK',
      `The log has ${size} entries and does not continue the ${before} entries in the branch "${LOG_BRANCH}"`,
      { hint: 'publish nothing: restore the log that was published before' },
    );
  }
  const from = isContinued ? Math.floor(before / TILE_WIDTH) : 0;
  const files = new Map([[CHECKPOINT, Buffer.from(note)]]);
  for (let index = from; index * TILE_WIDTH < size; index += 1) {
    const path = pathOf(index, size);
    files.set(path, Buffer.from(await readBytes(read, path)));
  }
  const isPartial = before % TILE_WIDTH > 0 && before !== size;
  const gone = isContinued && isPartial ? [pathOf(from, before)] : [];
  const parent = keptNote === undefined ? undefined : isLocal ? REFS[0] : REFS[1];
  await commit(folder, { files, gone, parent, isWhole: !isContinued, size });
  return { size, added: isContinued ? size - before : size };
}

const CHECKPOINT = `${LOG_FOLDER}/checkpoint`;

function pathOf(index: number, size: number): string {
  const width = Math.min(TILE_WIDTH, size - index * TILE_WIDTH);
  return `${LOG_FOLDER}/${bundlePath({ index, width })}`;
}

/** Whether the newest entries of the kept log are where they were: all before them were compared when they were kept. */
async function continues(
  read: ReadPublished,
  kept: ReadPublished,
  size: number,
  before: number,
): Promise<boolean> {
  if (before === 0) return true;
  if (before > size) return false;
  const index = Math.floor((before - 1) / TILE_WIDTH);
  const old = Buffer.from(await readBytes(kept, pathOf(index, before)));
  const now = Buffer.from(await readBytes(read, pathOf(index, size)));
  return now.subarray(0, old.length).equals(old);
}

async function readBytes(read: ReadPublished, path: string): Promise<Uint8Array> {
  const bytes = await read(path);
  if (bytes !== undefined) return bytes;
  throw new GeneratorError('ERR_LOG_PUBLISHED', `Cannot read "${path}": it is missing`, {
    hint: 'nothing was kept; run again when the index is complete',
  });
}

async function readText(read: ReadPublished, path: string): Promise<string> {
  return new TextDecoder().decode(await readBytes(read, path));
}

function checkpointOf(note: string): Checkpoint {
  return parseUnverifiedNote(note);
}

interface NewCommit {
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly gone: readonly string[];
  /** The commit before; the first one has none. */
  readonly parent: string | undefined;
  /** Nothing of the commit before stays. */
  readonly isWhole: boolean;
  readonly size: number;
}

/** One process of git writes all of it or nothing: git-fast-import(1). */
async function commit(
  folder: string,
  { files, gone, parent, isWhole, size }: NewCommit,
): Promise<void> {
  const child = spawn('git', ['fast-import', '--quiet', '--date-format=now'], {
    cwd: folder,
    env: gitEnvironment(),
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let problem = '';
  child.stderr.on('data', (chunk: Buffer) => (problem += chunk.toString()));
  child.stdin.on('error', (error) => (problem ||= error.message));
  const message = `Keep ${size} entries of the log\n`;
  const parts: (string | Uint8Array)[] = [
    `commit ${REFS[0]}\ncommitter Stackyard <registry@localhost> now\n`,
    `data ${Buffer.byteLength(message)}\n${message}\n`,
    ...(parent === undefined ? [] : [`from ${parent}^0\n`]),
    ...(isWhole ? ['deleteall\n'] : gone.map((path) => `D ${path}\n`)),
  ];
  for (const [path, bytes] of files) {
    parts.push(`M 100644 inline ${path}\ndata ${bytes.length}\n`, bytes, '\n');
  }
  for (const part of parts) child.stdin.write(part);
  child.stdin.end('\ndone\n');
  const [status] = (await once(child, 'close')) as [number | null];
  if (status === 0) return;
  throw new GeneratorError('ERR_GIT', `Cannot write the branch "${LOG_BRANCH}": ${problem.trim()}`);
}
