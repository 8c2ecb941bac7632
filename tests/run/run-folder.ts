/** The folder of one run of the tests, in memory where there is room: most tests write many small files. */
import { spawnSync } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  constants,
  mkdirSync,
  readdirSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const NAME = 'stackyard-tests-';
/** Several times what the tests hold at once: a few dependency trees. */
const NEEDED_BYTES = 6 * 1024 ** 3;

/** Makes the folder; the folders of runs that were killed go. */
export function makeRunFolder(): string {
  for (const place of [MEMORY, tmpdir()]) removeOrphans(place);
  const folder = join(tmpdir(), `${NAME}${process.pid}`);
  const inMemory = join(MEMORY, `${NAME}${process.pid}`);
  if (isRoomy() && isExecutable(inMemory)) return inMemory;
  return open(folder);
}

function removeOrphans(place: string): void {
  for (const name of names(place).filter((name) => name.startsWith(NAME))) {
    if (isGone(Number(name.slice(NAME.length)))) {
      rmSync(join(place, name), { recursive: true, force: true });
    }
  }
}

function names(place: string): string[] {
  try {
    return readdirSync(place);
  } catch {
    return [];
  }
}

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

function isRoomy(): boolean {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return Math.min(bavail * bsize, freemem()) >= NEEDED_BYTES;
  } catch {
    return false;
  }
}

/** Makes `folder`; false where a program in it may not run. */
function isExecutable(folder: string): boolean {
  const program = join(open(folder), 'program');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 });
  const { status } = spawnSync(program);
  rmSync(status === 0 ? program : folder, { recursive: true });
  return status === 0;
}

/** Other users may pass: the PostgreSQL of a root's tests runs as one. */
function open(folder: string): string {
  mkdirSync(folder);
  chmodSync(folder, 0o711);
  return folder;
}
