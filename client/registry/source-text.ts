/**
 * Places of builds outside of a registry, as a user writes them and as a lock records them:
 *
 *     ./dates   ../dates   /home/me/dates   ./dates-1.0.0.tgz   https://host.example/dates-1.0.0.tgz
 */
import { relative, resolve, sep } from 'node:path';

const ADDRESS = /^https?:\/\//i;

/** Whether a word of `add` is a place and not the id of a build. */
export function isLocalSource(text: string): boolean {
  return isSourceAddress(text) || /^(?:\.{1,2}(?:[/\\]|$)|\/|[A-Za-z]:[/\\])/.test(text);
}

/** Whether a place is on another machine. */
export function isSourceAddress(text: string): boolean {
  return ADDRESS.test(text);
}

/** The place as the lock of `project` records it: an address, or a path from the project. @param folder of relative paths */
export function sourceInLock(text: string, folder: string, project: string): string {
  if (isSourceAddress(text)) return text;
  const path = relative(project, resolve(folder, text)).split(sep).join('/');
  return path.startsWith('../') || path === '..' ? path : `./${path}`;
}
