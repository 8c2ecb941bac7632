// Disks that fill up: what a process writes to them fails as on a full disk. Not `max_page_count` of SQLite, which fails earlier.

import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Disk {
  /** Where the process `pid` has its database. */
  readonly file: string;
  /** From now on nothing more can be stored. */
  fill(pid: number): void;
  /** Ends that, also where it was not filled. */
  free(pid: number): void;
  remove(): void;
}

const TMPFS_SIZE = '2m';
const BLOCK_BYTES = 4096;

/** The disks that this machine can make: the second needs the right to mount one. */
export const DISKS: readonly (readonly [name: string, make: () => Disk])[] = [
  ['files that may not grow', limitedFiles],
  ...(canMount() ? [['a full file system', smallFileSystem] as const] : []),
];

/** A limit on the size of files (RLIMIT_FSIZE), as quotas have it: writes fail with EFBIG. Needs no rights. */
function limitedFiles(): Disk {
  const folder = mkdtempSync(join(tmpdir(), 'limited-files-'));
  const file = join(folder, 'auth.sqlite');
  // The soft limit alone: it can be raised again.
  const setLimit = (pid: number, bytes: number | 'unlimited'): void =>
    void execFileSync('prlimit', [`--pid=${pid}`, `--fsize=${bytes}:`]);
  return {
    file,
    fill: (pid) => setLimit(pid, statSync(`${file}-wal`).size),
    free: (pid) => setLimit(pid, 'unlimited'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A file system of its own, in which another file takes all that is left: writes fail with ENOSPC. */
function smallFileSystem(): Disk {
  const folder = mountSmall();
  const filler = join(folder, 'filler');
  const remove = (): void => {
    process.off('exit', remove);
    execFileSync('umount', ['--lazy', folder]);
    rmSync(folder, { recursive: true, force: true });
  };
  // A test run that is ended in the middle leaves no file system behind.
  process.once('exit', remove);
  return {
    file: join(folder, 'auth.sqlite'),
    fill: () => writeUntilFull(filler),
    free: () => rmSync(filler, { force: true }),
    remove,
  };
}

function mountSmall(): string {
  const folder = mkdtempSync(join(tmpdir(), 'small-disk-'));
  try {
    const options = ['-t', 'tmpfs', '-o', `size=${TMPFS_SIZE}`, 'tmpfs', folder];
    execFileSync('mount', options, { stdio: 'ignore' });
  } catch (error) {
    rmSync(folder, { recursive: true });
    throw error;
  }
  return folder;
}

function canMount(): boolean {
  try {
    smallFileSystem().remove();
    return true;
  } catch {
    return false;
  }
}

function writeUntilFull(path: string): void {
  const descriptor = openSync(path, 'a');
  try {
    for (;;) writeSync(descriptor, Buffer.alloc(BLOCK_BYTES));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  } finally {
    closeSync(descriptor);
  }
}
