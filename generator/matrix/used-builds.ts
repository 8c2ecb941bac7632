/** The builds of an index, the most used first: by downloads, then by reports, then by name. */
import {
  CATALOG_PATH,
  recordPath,
  shardPath,
  versionRecordPath,
} from '../../format/index/layout.ts';
import type { BuildSummary } from '../../format/index/catalog.ts';
import { Catalog, CatalogShard } from '../../format/index/catalog.ts';
import { parseDocument } from '../../format/document/document.ts';
import { PackageRecord } from '../../format/index/record.ts';
import { compareVersions, isPrerelease } from '../../format/version/semver-range.ts';
import { GeneratorError } from '../errors.ts';
import type { ReadPublished } from '../log/read-published.ts';

/** Ids of the first `limit`; builds of which every version is yanked are not used. */
export async function usedBuilds(read: ReadPublished, limit: number): Promise<string[]> {
  const { shards } = parseDocument(Catalog, await need(read, CATALOG_PATH), CATALOG_PATH);
  const builds: BuildSummary[] = [];
  for (const { sha256 } of shards) {
    const path = shardPath(sha256);
    builds.push(...parseDocument(CatalogShard, await need(read, path), path).builds);
  }
  return builds
    .filter(({ yanked }) => !yanked)
    .sort(byUse)
    .slice(0, limit)
    .map(({ id }) => id);
}

/**
 * The records of the newest versions of a build that are neither yanked nor prereleases.
 * @throws {GeneratorError} `ERR_USAGE` for a build that the index does not have
 */
export async function newestRecords(
  read: ReadPublished,
  id: string,
  count: number,
): Promise<PackageRecord[]> {
  const path = recordPath(id);
  const bytes = await read(path);
  if (bytes === undefined) {
    throw new GeneratorError('ERR_USAGE', `The registry has no build "${id}"`, {
      hint: 'give the id of a published build, such as alice/web',
    });
  }
  const versions = parseDocument(PackageRecord, bytes, path)
    .versions.filter(({ version, yanked }) => !yanked && !isPrerelease(version))
    .map(({ version }) => version)
    .sort((a, b) => compareVersions(b, a));
  const records: PackageRecord[] = [];
  for (const version of versions.slice(0, count)) {
    const place = versionRecordPath(id, version);
    records.push(parseDocument(PackageRecord, await need(read, place), place));
  }
  return records;
}

function byUse(a: BuildSummary, b: BuildSummary): number {
  const reports = ({ agent_reports: of }: BuildSummary): number => of.success + of.failure;
  return b.downloads - a.downloads || reports(b) - reports(a) || (a.id < b.id ? -1 : 1);
}

async function need(read: ReadPublished, path: string): Promise<Uint8Array> {
  const bytes = await read(path);
  if (bytes !== undefined) return bytes;
  throw new GeneratorError('ERR_INDEX', `The index has no "${path}"`, {
    hint: 'check that the address is that of a Stackyard index',
  });
}
