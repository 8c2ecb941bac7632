/**
 * Fetches what a run will read and a partial clone (`git clone --filter=blob:none`) does not have, all at once. Without
 * this, git fetches each missing file when it is read: one connection for each.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { GeneratorError } from '../errors.ts';
import { gitAt, gitEnvironment } from './repository.ts';
import type { Repository } from './repository.ts';

/**
 * @param since an indexed commit: only what came after it will be read
 * @returns how many objects were missing
 * @throws {GeneratorError} `ERR_GIT` when the remote does not send them; `ERR_TREELESS_CLONE` for a clone without folders
 */
export async function prefetch(
  { folder, head, from }: Repository,
  paths: readonly string[],
  since?: string,
): Promise<number> {
  const remote = await promisorOf(folder);
  if (remote === undefined) return 0;
  const start = since ?? from;
  const range = start === undefined ? head : `${start}..${head}`;
  const missing = await missingObjects(folder, range, paths);
  if (missing.length > 0) await fetchObjects(folder, remote, missing);
  return missing.length;
}

/** Only these are kept in memory: a history has millions of others. */
async function missingObjects(
  folder: string,
  range: string,
  paths: readonly string[],
): Promise<string[]> {
  const options = ['--objects', '--missing=print', '--first-parent'];
  const child = spawn('git', ['rev-list', ...options, range, '--', ...paths], {
    cwd: folder,
    env: gitEnvironment(),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const closed = once(child, 'close');
  const missing: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('?')) missing.push(line.slice(1));
  }
  const [status] = (await closed) as [number | null];
  if (status !== 0) throw new GeneratorError('ERR_GIT', 'Cannot list what the clone has not');
  return missing;
}

/** The remote that promised the objects of a partial clone; `undefined` in a whole one. @throws {GeneratorError} `ERR_TREELESS_CLONE` */
async function promisorOf(folder: string): Promise<string | undefined> {
  const pattern = String.raw`^remote\..*\.(promisor|partialclonefilter)$`;
  const found = await gitAt(folder)
    .raw(['config', '--get-regexp', pattern])
    .catch(() => '');
  const remote = /^remote\.(.*)\.promisor true$/m.exec(found)?.[1];
  const filter = /^remote\..*\.partialclonefilter (tree:\S*)$/m.exec(found)?.[1];
  if (remote === undefined || filter === undefined) return remote;
  throw new GeneratorError(
    'ERR_TREELESS_CLONE',
    `Cannot read "${folder}": it was cloned with "--filter=${filter}", and git would fetch each folder of each commit alone`,
    {
      hint: `run "git config remote.${remote}.partialclonefilter blob:none" and "git fetch --refetch ${remote}", or make a whole clone`,
    },
  );
}

/** As git itself fetches promised objects, with all names in one request. */
async function fetchObjects(
  folder: string,
  remote: string,
  oids: readonly string[],
): Promise<void> {
  const options = ['--no-tags', '--no-write-fetch-head', '--recurse-submodules=no', '--quiet'];
  const settings = ['-c', 'fetch.negotiationAlgorithm=noop', '-c', 'maintenance.auto=false'];
  const args = [...settings, 'fetch', remote, ...options, '--filter=blob:none', '--stdin'];
  const child = spawn('git', args, {
    cwd: folder,
    env: gitEnvironment(),
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  child.stdin.on('error', () => undefined);
  child.stdin.end(`${oids.join('\n')}\n`);
  const [status] = (await once(child, 'close')) as [number | null];
  if (status === 0) return;
  const problem = `Cannot fetch ${oids.length} objects from "${remote}": git reports: ${stderr.trim()}`;
  throw new GeneratorError('ERR_GIT', problem, {
    hint: 'check that the remote can be reached and allows partial clones, or make a whole clone',
  });
}
