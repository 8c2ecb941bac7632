/**
 * The entry of a netrc file for a host:
 *
 *     machine registry.example:8443 login alice password 0123
 */
import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Login } from './git-credential.ts';

const MAX_BYTES = 1_000_000;

/**
 * Reads `NETRC`, otherwise the file of the home. An entry without a port is for the usual one of https.
 * @returns the login, or why there is none
 */
export function readNetrc(url: URL, env: NodeJS.ProcessEnv): Login | string {
  const name = process.platform === 'win32' ? '_netrc' : '.netrc';
  const file = env['NETRC'] ?? join(homedir(), name);
  const problem = problemOf(file);
  if (problem !== undefined) return problem;
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return 'it cannot be read';
  }
  const found = entryOf(url.host, text);
  if (found['password'] === undefined) return 'nothing for it';
  return { username: found['login'], password: found['password'] };
}

/** The file has secrets of this user: others must not read it. */
function problemOf(file: string): string | undefined {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return 'no file';
  if (!stats.isFile() || stats.size > MAX_BYTES) return 'it is not a small file';
  const isOwn = process.getuid === undefined || stats.uid === process.getuid();
  const isOpen = process.platform !== 'win32' && (stats.mode & 0o077) !== 0;
  return !isOwn || isOpen ? 'others may read it (chmod 600)' : undefined;
}

function entryOf(host: string, text: string): Readonly<Record<string, string>> {
  // A macro ends with an empty line.
  const words = text
    .replaceAll(/^macdef[^]*?(?:\n\s*\n|$(?![^]))/gm, '\n')
    .replaceAll(/^\s*#.*$/gm, '')
    .match(/"[^"\n]*"|\S+/g);
  let isHere = false;
  const found: Record<string, string> = {};
  for (let at = 0; at < (words?.length ?? 0); at += 1) {
    const [key, value = ''] = [words![at]!, words![at + 1]?.replace(/^"(.*)"$/, '$1')];
    // An entry for all hosts would send its password anywhere.
    if (key === 'default') isHere = false;
    else if (key === 'machine') isHere = value === host;
    else if (isHere) found[key] ??= value;
    if (key !== 'default') at += 1;
  }
  return found;
}
