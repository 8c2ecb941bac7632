/** The builds of a registry, the most used first, and the record that is measured of each. */
import { GeneratorError } from '../errors.ts';
import type { ReadPublished } from '../log/published-log.ts';
import { parseDocument } from '../../format/document/document.ts';
import { CATALOG_PATH, recordPath, shardPath } from '../../format/index/layout.ts';
import {
  Catalog,
  CatalogShard,
  PackageRecord,
  type BuildSummary,
} from '../../format/index/record.ts';
import { isPrerelease } from '../../format/version/semver-range.ts';

/**
 * The most used ones first.
 * @throws {GeneratorError} `ERR_INDEX` for what is no index
 */
export async function readSummaries(read: ReadPublished): Promise<BuildSummary[]> {
  const { shards } = parseDocument(Catalog, await need(read, CATALOG_PATH), CATALOG_PATH);
  const builds: BuildSummary[] = [];
  for (const { sha256 } of shards) {
    const path = shardPath(sha256);
    builds.push(...parseDocument(CatalogShard, await need(read, path), path).builds);
  }
  return builds.sort(byUse);
}

/**
 * The record of the newest version of a build that is neither yanked nor a prerelease; `undefined` where there is none.
 * @throws {GeneratorError} `ERR_USAGE` for a build that the index does not have
 */
export async function newestRecord(
  read: ReadPublished,
  id: string,
): Promise<PackageRecord | undefined> {
  const path = recordPath(id);
  const bytes = await read(path);
  if (bytes === undefined) {
    throw new GeneratorError('ERR_USAGE', `The registry has no build "${id}"`, {
      hint: 'give the id of a published build, such as alice/web',
    });
  }
  // The latest version is that one, where there is one.
  const record = parseDocument(PackageRecord, bytes, path);
  const isYanked = record.versions.some(
    ({ version, yanked }) => yanked && version === record.version,
  );
  return isYanked || isPrerelease(record.version) ? undefined : record;
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
