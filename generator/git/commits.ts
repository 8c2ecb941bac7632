/**
 * The commits of a line of history with their times. Both are read from the objects themselves: what `git log` prints depends on encodings
 * of the configuration and of the commit, and the times in a commit-graph end in the year 2514.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { DAY_MS } from '../../format/duration.ts';
import { GeneratorError } from '../errors.ts';
import type { ObjectReader } from './object-reader.ts';
import type { Repository } from './repository.ts';
import { gitEnvironment, MAPPED_PACKS } from './run-git.ts';

export interface Commit {
  readonly oid: string;
  /** Tree id; `undefined` where the object cannot be read. */
  readonly tree: string | undefined;
  /** Committer time in UTC, as records write times; `undefined` where it is none from 1970 to 9999. */
  readonly time: string | undefined;
}

/** Object ids that are read at once. */
const PART = 64;
/** A larger object, which has an endless message, states nothing. */
const MAX_COMMIT_BYTES = 4_000_000;
/** What is wrong with a commit without a time that records can have, after its id. */
export const NO_TIME = 'has no committer time from 1970 to 9999';
const LAST_SECOND = Date.parse('9999-12-31T23:59:59Z') / 1000;

/**
 * The first-parent line in `range`, from old to new, in parts.
 * @throws {GeneratorError} `ERR_GIT`
 */
export async function* readCommits(
  { folder }: Pick<Repository, 'folder'>,
  reader: ObjectReader,
  range: string,
  order: 'old-first' | 'new-first',
): AsyncGenerator<readonly Commit[]> {
  const reverse = order === 'old-first' ? ['--reverse'] : [];
  const args = [...MAPPED_PACKS, 'rev-list', '--first-parent', ...reverse, range, '--'];
  const env = gitEnvironment();
  const child = spawn('git', args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const closed = once(child, 'close');
  try {
    let part: string[] = [];
    for await (const oid of createInterface({ input: child.stdout })) {
      if (!/^[0-9a-f]{40,64}$/.test(oid)) throw unreadable(`it prints "${oid.slice(0, 80)}"`);
      if (part.push(oid) < PART) continue;
      yield await describeCommits(reader, part);
      part = [];
    }
    const [status] = (await closed) as [number | null];
    if (status !== 0) throw unreadable(stderr.trim());
    if (part.length > 0) yield await describeCommits(reader, part);
  } finally {
    child.kill();
  }
}

/**
 * The time of `commit` as records write it; where it has none, that of the newest commit before it that has one.
 * @throws {GeneratorError} `ERR_GIT`
 */
export async function commitTime(
  repository: Pick<Repository, 'folder'>,
  reader: ObjectReader,
  commit: string,
): Promise<string> {
  const [own] = await describeCommits(reader, [commit]);
  if (own?.time !== undefined) return own.time;
  for await (const part of readCommits(repository, reader, commit, 'new-first')) {
    const time = part.find((one) => one.time !== undefined)?.time;
    if (time !== undefined) return time;
  }
  return new Date(0).toISOString();
}

/** The newest commit of the main line whose time, ISO 8601 in UTC, `isTime` knows. */
export async function newestCommit(
  repository: Repository,
  reader: ObjectReader,
  isTime: (time: string) => boolean,
): Promise<string | undefined> {
  for await (const part of readCommits(repository, reader, repository.head, 'new-first')) {
    const found = part.find(({ time }) => time !== undefined && isTime(time));
    if (found !== undefined) return found.oid;
  }
  return undefined;
}

/** From this time on a commit is dated more than a day ahead of `now`: no clock that anybody looks at is so wrong. */
export function latestTime(now: Date): string {
  return new Date(now.getTime() + DAY_MS).toISOString();
}

/** What is wrong with the time of a commit, after its id; `undefined`: nothing. */
export function timeProblem(time: string | undefined, now: Date): string | undefined {
  if (time === undefined) return NO_TIME;
  return time > latestTime(now) ? `is dated ${time}, more than a day in the future` : undefined;
}

/** Reads the header of each commit. */
export async function describeCommits(
  reader: ObjectReader,
  oids: readonly string[],
): Promise<Commit[]> {
  const objects = await Promise.all(
    oids.map((oid) => reader.read(oid, { left: MAX_COMMIT_BYTES })),
  );
  return oids.map((oid, at) => ({ oid, ...parseCommit(objects[at]?.bytes) }));
}

/**
 * Tree and committer time of a commit object, of which only the header counts.
 * @param bytes hostile, in any encoding
 */
export function parseCommit(bytes: Buffer | undefined): Omit<Commit, 'oid'> {
  const text = bytes?.toString('latin1') ?? '';
  const [header = ''] = text.split('\n\n', 1);
  const tree = /^tree ([0-9a-f]{40,64})$/m.exec(header)?.[1];
  const digits = /^committer [^\n]*> (\d{1,12})(?: [+-]\d+)?$/m.exec(header)?.[1];
  const seconds = digits === undefined ? Number.POSITIVE_INFINITY : Number(digits);
  const time = seconds > LAST_SECOND ? undefined : new Date(seconds * 1000).toISOString();
  return { tree, time };
}

function unreadable(problem: string): GeneratorError {
  return new GeneratorError('ERR_GIT', `Cannot read history: git reports: ${problem}`, {
    hint: 'run "git fsck" in the repository',
  });
}
