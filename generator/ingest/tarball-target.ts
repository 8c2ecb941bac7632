/** From the target of a request to the version whose tarball it is. */
import { parseIndexPath } from '../../format/index/layout.ts';

/** Longer targets are of no tarball: owner 39, name 50, version 128 characters, each encoded in three. */
const MAX_TARGET_LENGTH = 1_000;

/**
 * The version that a logged target downloads, such as `/builds/a/b/1.0.0%2Bb1.tgz?x=1`; `undefined` for
 * another path.
 * @param base the path below which the index is served, such as `/registry`; `""` at the root
 */
export function parseTarballTarget(
  target: string,
  base: string,
): { readonly id: string; readonly version: string } | undefined {
  const query = target.search(/[?#]/);
  let path = query < 0 ? target : target.slice(0, query);
  if (path.length > MAX_TARGET_LENGTH) return undefined;
  path = path.replace(/^https?:\/\/[^/]*/i, '');
  if (!path.startsWith(`${base}/`)) return undefined;
  const decoded = tryDecode(path.slice(base.length + 1));
  const parsed = decoded === undefined ? undefined : parseIndexPath(decoded);
  return parsed?.kind === 'tarball' ? { id: parsed.id, version: parsed.version } : undefined;
}

function tryDecode(path: string): string | undefined {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
