/** The examples of `docs/format.md` are read by the schemas that they show. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { canonicalJson } from '../format/document/canonical-json.ts';
import { AdvisoryList } from '../format/advisory/advisory.ts';
import { Compatibility } from '../format/index/compatibility.ts';
import { Waivers } from '../format/index/waivers.ts';
import { HeadDocument } from '../format/index/head-document.ts';
import { Catalog, CatalogShard, PackageRecord } from '../format/index/record.ts';
import { VersionDocument } from '../format/index/version-document.ts';
import { parseDocument } from '../format/document/document.ts';
import { sha256Hex } from '../format/archive/integrity.ts';
import { Lock } from '../format/project/lock.ts';
import { parseExpectations } from '../format/wiring/expectations.ts';
import { parseManifest } from '../format/build/manifest.ts';
import { OwnerInfo, RegistryInfo } from '../format/index/registry-info.ts';

const PAGE = readFileSync(new URL('../docs/format.md', import.meta.url), 'utf8');
const EXAMPLES = new Map(
  [...PAGE.matchAll(/^```json (\S+)\n([^]*?)^```$/gm)].map(([, name = '', text = '']) => [
    name,
    new TextEncoder().encode(text),
  ]),
);

function example(name: string): Uint8Array {
  const bytes = EXAMPLES.get(name);
  if (bytes === undefined) throw new Error(`docs/format.md has no example "${name}"`);
  return bytes;
}

test.each([
  ['registry', RegistryInfo],
  ['head', HeadDocument],
  ['record', PackageRecord],
  ['version', VersionDocument],
  ['catalog', Catalog],
  ['catalog-shard', CatalogShard],
  ['compatibility', Compatibility],
  ['waivers', Waivers],
  ['advisories', AdvisoryList],
  ['owner', OwnerInfo],
  ['lock', Lock],
] as const)('docs/format.md shows a valid document "%s" with every field of it', (name, schema) => {
  const written: unknown = JSON.parse(new TextDecoder().decode(example(name)));
  expect(parseDocument(schema, example(name), name)).toEqual(written);
});

test('docs/format.md shows a valid manifest', () => {
  expect(parseManifest(example('manifest')).ok).toBe(true);
});

test('docs/format.md names the empty shard by its digest', () => {
  const catalog = parseDocument(Catalog, example('catalog'), 'catalog');
  const shard = parseDocument(CatalogShard, example('catalog-shard'), 'shard');
  expect(catalog.shards[0]?.sha256).toBe(sha256Hex(new TextEncoder().encode(canonicalJson(shard))));
});

test('docs/format.md has no other example in JSON', () => {
  expect(EXAMPLES.size).toBe(12);
});

test('docs/format.md shows expectations without a wrong line', () => {
  const { requests, findings } = parseExpectations(PAGE);
  expect([requests.length, findings]).toEqual([3, []]);
});
