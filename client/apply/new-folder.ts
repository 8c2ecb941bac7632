/**
 * The hidden folder in which `new` creates a project, beside its target:
 * `.app.stackyard-<process>-<host>-<birth>-<random>`. The name shows whether the process still runs, so that
 * what a killed one left can be removed and what a running one uses is kept.
 */
import { createHash, randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { writeError } from '../project/safe-path.ts';
import { birthOf, hasEnded } from './process-birth.ts';

const NAME = /^\..+\.stackyard-([1-9]\d{0,9})-([0-9a-f]{12})-([0-9a-f]{12})-[0-9a-f]{12}$/s;
/** The birth where the system does not provide it. */
const UNKNOWN = '0'.repeat(12);

/** Creates the folder for the project at `target`. @throws {ClientError} `ERR_WRITE` */
export async function makeNewFolder(target: string): Promise<string> {
  const birth = await birthOf(process.pid);
  const parts = [
    process.pid,
    hostKey(),
    birth === undefined ? UNKNOWN : digest(birth),
    randomBytes(6).toString('hex'),
  ];
  const folder = join(dirname(target), `.${basename(target)}.stackyard-${parts.join('-')}`);
  try {
    mkdirSync(folder);
  } catch (error) {
    throw writeError(folder, error);
  }
  return folder;
}

/** Names of the folders in `parent` that ended processes of this host left, sorted. */
export async function abandonedFolders(parent: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of namesIn(parent)) {
    const [, pid, host, birth] = NAME.exec(name) ?? [];
    if (pid === undefined || host !== hostKey()) continue;
    if (lstatSync(join(parent, name), { throwIfNoEntry: false })?.isDirectory() !== true) continue;
    const isSame = (now: string): boolean => birth === UNKNOWN || digest(now) === birth;
    if (await hasEnded(Number(pid), isSame)) found.push(name);
  }
  return found;
}

/** Removes the folders in `parent` that ended processes left. @returns their names */
export async function removeAbandoned(parent: string): Promise<string[]> {
  const names = await abandonedFolders(parent);
  return names.filter((name) => {
    try {
      rmSync(join(parent, name), { recursive: true, force: true });
      return true;
    } catch {
      // It may belong to another user; the new project does not depend on it.
      return false;
    }
  });
}

/** Process ids are unique within a host and its namespace of processes, such as a container. */
function hostKey(): string {
  let namespace = '';
  try {
    namespace = readlinkSync('/proc/self/ns/pid');
  } catch {
    // Not Linux.
  }
  return digest(JSON.stringify([hostname(), namespace]));
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
