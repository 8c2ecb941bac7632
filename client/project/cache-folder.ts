/** The folder of this user's cache. */
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';

/**
 * `STACKYARD_CACHE`, otherwise `stackyard` in the platform's folder for caches; `undefined` when there is
 * none. A relative XDG_CACHE_HOME is ignored, as its specification requires.
 */
export function cacheFolder(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
  home: string = homedir(),
): string | undefined {
  const named = env['STACKYARD_CACHE'];
  if (named !== undefined && named !== '') return resolve(named);
  const xdg = env['XDG_CACHE_HOME'] ?? '';
  if (isAbsolute(xdg)) return join(xdg, 'stackyard');
  const local = env['LOCALAPPDATA'] ?? '';
  if (platform === 'win32' && local !== '') return join(local, 'stackyard', 'Cache');
  if (!isAbsolute(home)) return undefined;
  return platform === 'darwin'
    ? join(home, 'Library', 'Caches', 'stackyard')
    : join(home, '.cache', 'stackyard');
}
