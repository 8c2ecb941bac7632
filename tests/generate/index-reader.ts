/** Reads a generated index back as a client or a mirror would, and checks what must always hold. */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { expandHead, HeadChunk, HeadDocument } from '../../format/index/head-document.ts';
import { Catalog, CatalogShard, type Head, PackageRecord } from '../../format/index/record.ts';
import { recordOfVersion } from '../../client/record/read-record.ts';
import { VersionDocument } from '../../format/index/version-document.ts';
import { parseDocument } from '../../format/document/document.ts';
import {
  RETIRED_FOLDER,
  documentPath,
  headPath,
  parseIndexPath,
  recordPath,
  shardPath,
  tarballPath,
  versionPath,
} from '../../format/index/layout.ts';
import { RegistryInfo } from '../../format/index/registry-info.ts';
import { integrityOf } from '../../format/archive/integrity.ts';
import { readTarball } from '../../format/archive/tarball.ts';

/** Every file of an index with its bytes, for comparing trees; not those of earlier states. */
export function readTree(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => !path.startsWith(`${RETIRED_FOLDER}/`))
    .sort();
  return Object.fromEntries(
    files.map((file) => [
      file,
      createHash('sha256')
        .update(readFileSync(join(folder, file)))
        .digest('hex'),
    ]),
  );
}

/** The record that shows a version, by default the latest one. */
export function readRecord(out: string, id: string, version?: string): PackageRecord {
  const path = recordPath(id);
  const record = parseDocument(PackageRecord, readFileSync(join(out, path)), path);
  if (version === undefined || version === record.version) return record;
  const listed = readHead(out, id).versions.find((one) => one.version === version)!;
  return recordOfVersion(record, readVersion(out, id, version), listed);
}

export function readVersion(out: string, id: string, version: string): VersionDocument {
  const path = versionPath(id, version);
  return parseDocument(VersionDocument, readFileSync(join(out, path)), path);
}

export function readHead(out: string, id: string): Head {
  const head = parseDocument(HeadDocument, readFileSync(join(out, headPath(id))), headPath(id));
  const older = (head.older ?? []).map((sha256) => {
    return parseDocument(HeadChunk, readFileSync(join(out, documentPath(sha256))), sha256);
  });
  return expandHead(head, older);
}

/** Paths and texts of the tarball of a version. */
export function readBuild(out: string, id: string, version: string): Record<string, string> {
  const entries = readTarball(readFileSync(join(out, tarballPath(id, version))));
  return Object.fromEntries(entries.map((e) => [e.path, Buffer.from(e.bytes).toString()]));
}

/** Checks that the index is complete and consistent, without other files, with correct figures. */
export function expectWholeIndex(out: string): void {
  const files = Object.keys(readTree(out));
  const unknown = files.filter((f) => f !== 'README.md' && parseIndexPath(f) === undefined);
  expect(unknown).toEqual([]);
  const registry = parseDocument(
    RegistryInfo,
    readFileSync(join(out, 'registry.json')),
    'registry',
  );
  const ids = readCatalogIds(out);
  expect(ids).toHaveLength(registry.builds);
  expect(expectSoundIndex(out)).toBe(registry.versions);
  for (const id of ids) expect(readRecord(out, id).version).toBe(readHead(out, id).latest);
}

/**
 * Checks what must hold at any moment: whatever a document points to is there and has the digest
 * that is named.
 * @returns how many versions the heads name
 */
function expectSoundIndex(out: string): number {
  let versions = 0;
  for (const id of readCatalogIds(out)) {
    readRecord(out, id);
    const head = readHead(out, id);
    versions += head.versions.length;
    for (const { version, integrity, document } of head.versions) {
      const bytes = readFileSync(join(out, tarballPath(id, version)));
      const own = readFileSync(join(out, versionPath(id, version)));
      expect([integrity, document]).toEqual([bytes, own].map(integrityOf));
      expect(readVersion(out, id, version)).toMatchObject({ integrity, size: bytes.length });
    }
  }
  return versions;
}

export function readCatalogIds(out: string): string[] {
  const catalog = parseDocument(Catalog, readFileSync(join(out, 'catalog.json')), 'catalog');
  return catalog.shards.flatMap(({ sha256, count }) => {
    const bytes = readFileSync(join(out, shardPath(sha256)));
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
    const shard = parseDocument(CatalogShard, bytes, sha256);
    expect(shard.builds).toHaveLength(count);
    return shard.builds.map((b) => b.id);
  });
}
