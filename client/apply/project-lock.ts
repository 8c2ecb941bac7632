/**
 * Permits one client at a time in a project: `.stackyard/lock`, `{"pid":7,"host":"h","since":"...","token":"..."}`,
 * is created complete by link(2). A lock whose process has ended is taken over.
 */
import { randomUUID } from 'node:crypto';
import { link, lstat, readdir, readFile, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { printable } from '../../format/build/file-path.ts';
import { WORK_FOLDER } from '../../format/build/protected-path.ts';
import { ClientError } from '../errors.ts';
import { birthOf, hasEnded } from './process-birth.ts';
import { dropIgnoreFile, dropWorkFolder, ignoreWorkFolder, makeWorkFolder } from './work-folder.ts';
import { hasCode, writeError } from '../project/safe-path.ts';

const LOCK_NAME = 'lock';
const DEFAULT_WAIT_MS = 2000;
const POLL_MS = 50;
/** After this time, a lock without a readable holder counts as left by a crash, not as being written. */
const UNREADABLE_STALE_MS = 10_000;

const Holder = z.object({
  pid: z.int().positive(),
  host: z.string(),
  since: z.string(),
  token: z.string(),
  /** Distinguishes the process from a later one with its pid; absent if the system does not provide it. */
  birth: z.string().optional(),
});
type Holder = z.infer<typeof Holder>;

/** The state of a lock file. */
interface Found {
  readonly holder: Holder | undefined;
  readonly stale: boolean;
}

/**
 * Runs `work` while holding the project's lock, and releases it however `work` ends.
 * @throws {ClientError} as `lockProject`
 */
export async function withProjectLock<T>(
  project: string,
  work: () => Promise<T>,
  options: { readonly waitMs?: number } = {},
): Promise<T> {
  const release = await lockProject(project, options);
  try {
    return await work();
  } finally {
    await release();
  }
}

/**
 * Takes the project's lock.
 * @returns what releases it
 * @throws {ClientError} `ERR_BUSY` when another client holds it for longer than `waitMs`;
 * `ERR_PATH_POLICY`, `ERR_WRITE` when `.stackyard/` cannot be used
 */
export async function lockProject(
  project: string,
  options: { readonly waitMs?: number } = {},
): Promise<() => Promise<void>> {
  const holder = await holderOfThis();
  await acquire(project, holder, options.waitMs ?? DEFAULT_WAIT_MS);
  try {
    await ignoreWorkFolder(project);
  } catch (error) {
    await releaseLock(project, holder);
    throw error;
  }
  return () => releaseLock(project, holder);
}

/** A message about the present holder of the project's lock; `undefined` without one. */
export async function projectLockHolder(project: string): Promise<string | undefined> {
  const found = await findLock(join(project, WORK_FOLDER, LOCK_NAME));
  return found === undefined || found.stale ? undefined : busy(found.holder).message;
}

async function acquire(project: string, holder: Holder, waitMs: number): Promise<void> {
  const deadline = performance.now() + waitMs;
  const path = join(project, WORK_FOLDER, LOCK_NAME);
  try {
    for (;;) {
      await makeWorkFolder(project);
      if (await tryTake(path, holder)) return;
      const found = await findLock(path);
      if (found?.stale === true && (await clearStale(path, holder))) continue;
      const left = deadline - performance.now();
      if (left <= 0 && found !== undefined) throw busy(found.holder);
      await sleep(Math.max(1, Math.min(POLL_MS, left)));
    }
  } catch (error) {
    await dropWorkFolder(project);
    throw writeError(`${WORK_FOLDER}/${LOCK_NAME}`, error);
  }
}

async function releaseLock(project: string, holder: Holder): Promise<void> {
  const folder = join(project, WORK_FOLDER);
  const path = join(folder, LOCK_NAME);
  try {
    for (const name of await readdir(folder)) {
      // Candidates and guards of killed clients; a running client notices and creates its own again.
      if (name.startsWith(`${LOCK_NAME}.`)) await rm(join(folder, name), { force: true });
      if (name.startsWith(`${LOCK_NAME}-`)) await clearStale(join(folder, name), holder);
    }
    // While the lock is held: the next holder must find the ignore file that it created.
    await dropIgnoreFile(project, (name) => name.startsWith(LOCK_NAME));
    // The user may have deleted our lock and another client taken it.
    if ((await findLock(path))?.holder?.token === holder.token) await unlink(path);
  } catch {
    // The result of the work counts; a remaining lock is stale once this process ends.
  }
  await dropWorkFolder(project);
}

/** Takes the lock at `path` if nothing is there. */
async function tryTake(path: string, holder: Holder): Promise<boolean> {
  const text = `${JSON.stringify(holder)}\n`;
  const candidate = `${path}.${randomUUID()}`;
  try {
    await writeFile(candidate, text, { flag: 'wx' });
    await link(candidate, path);
    return true;
  } catch (error) {
    // ENOENT: the last holder removed the folder or our candidate.
    if (hasCode(error, 'EEXIST', 'ENOENT')) return false;
    if (!hasCode(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL')) throw error;
    return await tryCreate(path, text);
  } finally {
    await rm(candidate, { force: true });
  }
}

/** For file systems without hard links: a reader may see the lock before its text. */
async function tryCreate(path: string, text: string): Promise<boolean> {
  try {
    await writeFile(path, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST', 'ENOENT')) return false;
    throw error;
  }
}

/**
 * Removes the lock at `path` if it is stale. Only the holder of a guard, itself such a lock, may do so,
 * and checks again first: otherwise a slow client would remove the new lock of a fast one.
 * @returns whether this call removed it
 */
async function clearStale(path: string, holder: Holder): Promise<boolean> {
  const guard = `${path}-takeover`;
  if (!(await tryTake(guard, holder))) {
    if ((await findLock(guard))?.stale === true) await clearStale(guard, holder);
    return false;
  }
  try {
    const found = await findLock(path);
    if (found?.stale !== true) return false;
    const aside = `${path}.${randomUUID()}`;
    await rename(path, aside);
    await rm(aside, { recursive: true, force: true });
    return true;
  } finally {
    await rm(guard, { force: true });
  }
}

async function findLock(path: string): Promise<Found | undefined> {
  try {
    const status = await lstat(path);
    const holder = status.isFile() ? readHolder(await readFile(path, 'utf8')) : undefined;
    const stale =
      holder === undefined
        ? Date.now() - status.mtimeMs > UNREADABLE_STALE_MS
        : await isGone(holder);
    return { holder, stale };
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function readHolder(text: string): Holder | undefined {
  try {
    return Holder.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Whether the process of `holder` has ended; unknown for another host, which counts as no. */
async function isGone(holder: Holder): Promise<boolean> {
  if (holder.host !== hostname()) return false;
  return hasEnded(holder.pid, (birth) => holder.birth === undefined || birth === holder.birth);
}

async function holderOfThis(): Promise<Holder> {
  const birth = await birthOf(process.pid);
  return {
    pid: process.pid,
    host: hostname(),
    since: new Date().toISOString(),
    token: randomUUID(),
    ...(birth === undefined ? {} : { birth }),
  };
}

function busy(holder: Holder | undefined): ClientError {
  const lock = `${WORK_FOLDER}/${LOCK_NAME}`;
  if (holder === undefined) {
    return new ClientError(
      'ERR_BUSY',
      `Another client holds the project: "${lock}" is not readable`,
      { hint: `if no other stackyard command runs here, delete "${lock}"` },
    );
  }
  const host = printable(holder.host);
  return new ClientError(
    'ERR_BUSY',
    `Another client works in this project: process ${holder.pid} on "${host}" since ${printable(holder.since)}`,
    {
      hint:
        holder.host === hostname()
          ? 'wait until it ends, then run again'
          : `if it no longer runs on "${host}", delete "${lock}"`,
    },
  );
}
