/** Reads a generated index back as a client or a mirror would, and checks what must always hold. */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { Catalog, CatalogShard, Head, PackageRecord } from '../../format/index/record.ts';
import { parseDocument } from '../../format/document/document.ts';
import {
  RETIRED_FOLDER,
  headPath,
  parseIndexPath,
  recordPath,
  shardPath,
  tarballPath,
  versionRecordPath,
} from '../../format/index/layout.ts';
import { RegistryInfo } from '../../format/index/registry-info.ts';
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

export function readRecord(out: string, id: string, version?: string): PackageRecord {
  const path = version === undefined ? recordPath(id) : versionRecordPath(id, version);
  return parseDocument(PackageRecord, readFileSync(join(out, path)), path);
}

export function readHead(out: string, id: string): Head {
  return parseDocument(Head, readFileSync(join(out, headPath(id))), headPath(id));
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
  for (const id of ids) {
    expect(readRecord(out, id)).toEqual(readRecord(out, id, readHead(out, id).latest));
  }
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
    for (const { version, integrity, size } of head.versions) {
      const bytes = readFileSync(join(out, tarballPath(id, version)));
      const digest = createHash('sha256').update(bytes).digest('base64');
      expect([integrity, size]).toEqual([`sha256-${digest}`, bytes.length]);
      expect(readRecord(out, id, version).integrity).toBe(integrity);
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
