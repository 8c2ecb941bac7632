/** The time of a repository's head, read from the commit itself: without a process of git for it. */
import { GeneratorError } from '../errors.ts';
import type { ObjectReader } from './object-reader.ts';
import type { Repository } from './repository.ts';

/**
 * The committer time of the repository's head in UTC, as records write times.
 * @throws {GeneratorError} `ERR_GIT` when the commit is missing or has no time
 */
export async function commitTime({ head }: Repository, reader: ObjectReader): Promise<string> {
  const commit = await reader.read(head);
  const seconds = committerSeconds(commit?.bytes?.toString('latin1') ?? '');
  if (seconds === undefined) {
    throw new GeneratorError('ERR_GIT', `Cannot read the time of commit ${head}`, {
      hint: 'run "git fsck" in the repository',
    });
  }
  return new Date(seconds * 1000).toISOString();
}

/**
 * Seconds since 1970 of the line `committer <name> <<address>> <seconds> <zone>`; `undefined` without one.
 * @param commit a commit object as text
 */
export function committerSeconds(commit: string): number | undefined {
  const [header = ''] = commit.split('\n\n', 1);
  const seconds = /^committer [^\n]*> (\d{1,12})(?: [+-]\d+)?$/m.exec(header)?.[1];
  return seconds === undefined ? undefined : Number(seconds);
}
