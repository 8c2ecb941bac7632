/** Reads a deployed index as a client does, and requires everything that its documents name. */
import { expect } from 'vitest';
import { sha256Hex, integrityOf } from '../../format/archive/integrity.ts';
import { parseDocument } from '../../format/document/document.ts';
import { readHead } from '../../format/audit/read-head.ts';
import { Catalog, CatalogShard } from '../../format/index/record.ts';
import {
  CATALOG_PATH,
  CHECKPOINT_PATH,
  LOG_FOLDER,
  REGISTRY_PATH,
  headPath,
  recordPath,
  shardPath,
  tarballPath,
  versionPath,
} from '../../format/index/layout.ts';
import { RegistryInfo } from '../../format/index/registry-info.ts';
import { parseUnverifiedNote } from '../../format/log/checkpoint.ts';
import { bundlePath, tilePath, tileWidth } from '../../format/log/tile.ts';

export type Read = (path: string) => Promise<Uint8Array | undefined>;

/**
 * Fails when a document names an object that is missing or has other bytes.
 * @returns how many versions the heads name; `undefined` before there is a catalog
 */
export async function requireWhole(read: Read): Promise<number | undefined> {
  const need = async (path: string, by: string): Promise<Uint8Array> => {
    const bytes = await read(path);
    expect(bytes, `${path}, which ${by} names`).toBeDefined();
    return bytes!;
  };
  const registry = await read(REGISTRY_PATH);
  if (registry !== undefined) {
    const { client } = parseDocument(RegistryInfo, registry, REGISTRY_PATH);
    if (client !== undefined) {
      expect(integrityOf(await need(client.path, REGISTRY_PATH))).toBe(client.integrity);
    }
    await need(CATALOG_PATH, 'the interface');
  }
  const catalog = await read(CATALOG_PATH);
  await requireLog(read, need);
  if (catalog === undefined) return undefined;
  let versions = 0;
  for (const { sha256 } of parseDocument(Catalog, catalog, CATALOG_PATH).shards) {
    const shard = await need(shardPath(sha256), CATALOG_PATH);
    expect(sha256Hex(shard)).toBe(sha256);
    for (const { id } of parseDocument(CatalogShard, shard, sha256).builds) {
      versions += await requireBuild(need, id);
    }
  }
  return versions;
}

async function requireBuild(
  need: (path: string, by: string) => Promise<Uint8Array>,
  id: string,
): Promise<number> {
  const path = headPath(id);
  const head = await readHead((file) => need(file, path), path);
  await need(recordPath(id), 'a shard');
  for (const { version, integrity, document } of head.versions) {
    expect(integrityOf(await need(tarballPath(id, version), path))).toBe(integrity);
    expect(integrityOf(await need(versionPath(id, version), path))).toBe(document);
  }
  return head.versions.length;
}

/** The last tile of each level, and the last bundle: those that a newer checkpoint needs. */
async function requireLog(
  read: Read,
  need: (path: string, by: string) => Promise<Uint8Array>,
): Promise<void> {
  const bytes = await read(CHECKPOINT_PATH);
  if (bytes === undefined) return;
  const note = Buffer.from(bytes).toString();
  const { size } = parseUnverifiedNote(note);
  if (size === 0) return;
  const index = Math.floor((size - 1) / 256);
  const width = tileWidth(size, 0, index);
  await need(`${LOG_FOLDER}/${tilePath({ level: 0, index, width })}`, CHECKPOINT_PATH);
  await need(`${LOG_FOLDER}/${bundlePath({ index, width })}`, CHECKPOINT_PATH);
}
