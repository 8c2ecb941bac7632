/** Removes the files of an index that are not part of it any more. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  advisoryPath,
  compatibilityPath,
  waiversPath,
  mapEntryPath,
  parseIndexPath,
  type IndexPath,
} from '../../format/index/layout.ts';
import type { SitePath } from '../../format/index/site-path.ts';
import { logFileTest } from '../log/log-files.ts';
import { FilesElsewhere } from '../state/files-elsewhere.ts';
import { MAP_ENTRY, mapFiles } from '../log/write-map.ts';
import type { State } from '../state/state.ts';
import { removeFiles, staleFiles } from './emit.ts';
import { dropRetired } from './retired-files.ts';

/** What a run outdates: shards and items, and tiles of a log that grew. */
interface Outdated {
  readonly paths: readonly string[];
  /** Ids of advisories that are gone. */
  readonly advisories: ReadonlySet<string>;
  /** Builds whose compatibility matrix is gone. */
  readonly matrices: ReadonlySet<string>;
  /** Builds of which nothing is waived any more. */
  readonly unwaived: ReadonlySet<string>;
  /** Paths of pages that are not part of the site any more. */
  readonly oldPages: readonly string[];
  /** Whether something was taken down: then readers of earlier states have nothing of them either. */
  readonly isTakeDown: boolean;
}

/** What belongs to an index beside the documents of the state. */
interface Served {
  /** Version of the client. */
  readonly client: string | undefined;
  /** Paths of the files that pages load; `undefined` without a site. */
  readonly assets: ReadonlySet<string> | undefined;
  /** Whether there are items for shadcn. */
  readonly hasItems: boolean;
}

/**
 * @param isFull after a full run everything that the state does not know is removed
 * @param outdated after an incremental run only these can be outdated
 * @returns how many files were removed
 */
export function removeOutdated(
  out: string,
  state: State,
  served: Served,
  isFull: boolean,
  { paths: old, advisories, matrices, unwaived, oldPages, isTakeDown }: Outdated,
): number {
  dropRetired(out, isTakeDown ? 0 : undefined);
  if (isFull) {
    const stale = staleFiles(out, isCurrent(state, served));
    // The last one is of an earlier interface.
    return removeFiles(out, [...stale, ...oldPages, 'log/map-entry'], isTakeDown);
  }
  const paths = [
    ...old,
    ...[...advisories].map(advisoryPath),
    ...[...matrices].map(compatibilityPath),
    ...[...unwaived].map(waiversPath),
    ...oldPages,
    ...oldClients(out, served.client),
  ];
  return removeFiles(out, paths, isTakeDown) + removeElsewhere(out, state, served, paths);
}

/** The same for files that only a store has. */
function removeElsewhere(
  out: string,
  state: State,
  served: Served,
  paths: readonly string[],
): number {
  const elsewhere = FilesElsewhere.read(out);
  if (elsewhere === undefined) return 0;
  const gone = new Set(paths);
  const isKnown = isCurrent(state, served);
  return elsewhere.keep((path) => {
    const parsed = parseIndexPath(path);
    if (parsed === undefined || gone.has(path)) return false;
    return (parsed.kind !== 'client' && !elsewhere.isBehind) || isKnown(parsed, path);
  });
}

/** A client changes with the software, whatever the run reads again. */
function oldClients(out: string, client: string | undefined): string[] {
  const folder = join(out, 'client');
  if (!existsSync(folder)) return [];
  const paths = readdirSync(folder).map((name) => `client/${name}`);
  return paths.filter((path) => {
    const parsed = parseIndexPath(path);
    return parsed?.kind === 'client' && !isServed(parsed.version, client);
  });
}

/** @param version in the name of the file, if it has one */
function isServed(version: string | undefined, client: string | undefined): boolean {
  return client !== undefined && (version === undefined || version === client);
}

function isCurrent(
  state: State,
  { client, assets, hasItems }: Served,
): (path: IndexPath, text: string) => boolean {
  const isLogFile = logFileTest(state.log);
  const inMap = mapFiles(state);
  const entry = state.meta(MAP_ENTRY);
  const documents = state.map.digests();
  const shards = new Set(state.shards.all().map((s) => s.sha256));
  const withdrawn = state.withdrawals.all();
  const isThere = ({ id, version }: { readonly id: string; readonly version: string }): boolean =>
    state.findVersion(id, version) !== undefined;
  return (path, text) => {
    switch (path.kind) {
      case 'record':
      case 'head':
        return state.hasBuild(path.id);
      case 'compatibility':
        return state.hasBuild(path.id) && state.matrix.has(path.id);
      case 'waivers':
        return Object.keys(state.heldWaivers(path.id)).length > 0;
      case 'version':
        return isThere(path);
      case 'former':
        return false;
      case 'tarball':
        return isThere(path) && !withdrawn.has(`${path.id}@${path.version}`);
      case 'owner':
        return state.buildsOf(path.owner).length > 0;
      case 'shard':
        return shards.has(path.sha256);
      case 'advisory':
        return state.advisories.find(path.id) !== undefined;
      case 'log':
        return isLogFile(path.path);
      case 'map-file':
        return inMap.has(path.sha256);
      case 'map-entry':
        return mapEntryPath(path.sha256) === entry;
      case 'document':
        return documents.has(path.sha256);
      case 'client':
        return isServed(path.version, client);
      case 'shadcn-item':
        return state.shadcn.hasLatest(path.id);
      case 'shadcn-version':
        return state.shadcn.has(path.id, path.version);
      case 'shadcn-registry':
        return hasItems && state.shadcn.isListed();
      case 'page':
        return assets !== undefined && isCurrentPage(state, path.page, assets, text);
      default:
        return true;
    }
  };
}

function isCurrentPage(
  state: State,
  page: SitePath,
  loaded: ReadonlySet<string>,
  text: string,
): boolean {
  switch (page.kind) {
    case 'asset':
      return loaded.has(text);
    case 'build':
      return state.hasBuild(page.id);
    case 'advisory':
      return state.advisories.find(page.id) !== undefined;
    case 'owner':
      return state.buildsOf(page.owner).length > 0;
    case 'tag':
      return state.site.has({ kind: 'tag', name: page.name });
    case 'former':
      return false;
    case 'sitemap':
      return state.site.ownerHashes().includes(page.hash);
    default:
      return true;
  }
}
