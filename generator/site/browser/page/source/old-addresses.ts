/** Pages of versions, files and changes that registries had before the source page: their addresses lead to it from the 404 page. */
import { isBuildId } from '../../../../../format/build/build-id.ts';
import { decodeSegment, sourceAddress } from '../../../../../format/index/site-path.ts';
import type { Head } from '../../../../../format/index/record.ts';
import { headPath } from '../../../../../format/index/layout.ts';
import { isVersion } from '../../../../../format/version/version.ts';

/** What an old address shows. */
interface OldAddress {
  /** Path of the root of the site, with a slash at its end. */
  readonly root: string;
  readonly id: string;
  readonly version: string;
  readonly shows: 'build' | 'files' | 'changes';
  readonly file?: string | undefined;
}

const OLD =
  /^(.*\/)builds\/([^/]+\/[^/]+)\/([^/]+)(?:\/(?:index\.html)?|\/(files|diff)(?:\/(?:index\.html)?)?|\/file\/(.+)\.html|\/raw\/(.+)\.txt)?$/;

/** Goes on to the new address of what this address was, if it was something. */
export async function leaveOldAddress(): Promise<void> {
  const old = parseOldAddress(location.pathname);
  if (old === undefined) return;
  const { id, version, shows, file } = old;
  const against = shows === 'changes' ? await versionBefore(old) : undefined;
  const lines = file === undefined ? '' : location.hash.replace(/^#(?=L\d)/, ':');
  const to = shows === 'build' ? `builds/${id}/` : sourceAddress({ id, version, against, file });
  // A path may begin with two slashes, which alone would be another host.
  location.replace(
    location.origin + old.root + to + (/^:L\d+(?:-L\d+)?$/.test(lines) ? lines : ''),
  );
}

/** `undefined` for an address that never was a page of a version. @param pathname as of a URL */
export function parseOldAddress(pathname: string): OldAddress | undefined {
  const [, root = '', id = '', written = '', room, page, raw] = OLD.exec(pathname) ?? [];
  const version = decoded(written) ?? '';
  if (!isBuildId(id) || !isVersion(version)) return undefined;
  const path = page ?? raw;
  const file = path === undefined ? undefined : decodedPath(path);
  if (path !== undefined && file === undefined) return undefined;
  const shows =
    room === 'diff' ? 'changes' : room === 'files' || file !== undefined ? 'files' : 'build';
  return { root, id, version, shows, file };
}

function decodedPath(path: string): string | undefined {
  const segments = path.split('/').map((one) => decodeSegment(decoded(one) ?? '') ?? '');
  return segments.includes('') ? undefined : segments.join('/');
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** The next lower version that is left, with which the page of changes compared. */
async function versionBefore({ root, id, version }: OldAddress): Promise<string | undefined> {
  try {
    const response = await fetch(location.origin + root + headPath(id));
    // The source page checks what it is given.
    const { versions } = (await response.json()) as Pick<Head, 'versions'>;
    const at = versions.findIndex((one) => one.version === version);
    return at < 0
      ? undefined
      : versions.slice(at + 1).find(({ withdrawn }) => withdrawn !== true)?.version;
  } catch {
    return undefined;
  }
}
