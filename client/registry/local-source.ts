/** Places of builds on this machine, as the user types them and as a lock has them. */
import { relative, resolve, sep } from 'node:path';

/**
 * Whether a word of `add` is a place and not the id of a build:
 *
 *     ./dates   ../dates   /home/me/dates   ./dates-1.0.0.tgz
 */
export function isLocalSource(text: string): boolean {
  return /^(?:\.{1,2}(?:[/\\]|$)|\/|[A-Za-z]:[/\\])/.test(text);
}

/** The place as the lock of `project` records it: a path from the project. @param folder of relative paths */
export function sourceInLock(text: string, folder: string, project: string): string {
  const path = relative(project, resolve(folder, text)).split(sep).join('/');
  return path.startsWith('../') || path === '..' ? path : `./${path}`;
}
