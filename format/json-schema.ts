/** JSON Schemas (draft 2020-12) of every document, made from the same schemas that read them. */
import { z } from 'zod';
import { Advisory, AdvisoryList } from './advisory/advisory.ts';
import { Catalog, CatalogShard, PackageRecord } from './index/record.ts';
import { Compatibility, Matrix } from './index/compatibility.ts';
import { Flag, Report } from './statement/statement.ts';
import type { SchemaName } from './index/layout.ts';
import { Lock } from './project/lock.ts';
import { Manifest } from './build/manifest.ts';
import { Moderation } from './registry/moderation.ts';
import { OwnerFile } from './registry/owner-file.ts';
import { RegistryConfig } from './registry/registry-config.ts';
import { OwnerInfo, RegistryInfo } from './index/registry-info.ts';
import { HeadChunk, HeadDocument } from './index/head-document.ts';
import { Signals } from './registry/signals.ts';
import { VersionDocument } from './index/version-document.ts';
import { Waivers } from './index/waivers.ts';

const SCHEMAS: Record<SchemaName, z.ZodType> = {
  advisories: AdvisoryList,
  advisory: Advisory,
  catalog: Catalog,
  'catalog-shard': CatalogShard,
  compatibility: Compatibility,
  flag: Flag,
  head: HeadDocument,
  'head-older': HeadChunk,
  lock: Lock,
  manifest: Manifest,
  matrix: Matrix,
  moderation: Moderation,
  owner: OwnerInfo,
  'owner-file': OwnerFile,
  record: PackageRecord,
  registry: RegistryInfo,
  'registry-config': RegistryConfig,
  report: Report,
  signals: Signals,
  version: VersionDocument,
  waivers: Waivers,
};

/** Files that people write: a field with a default may be left out there. */
const WRITTEN_BY_HAND: readonly SchemaName[] = ['registry-config', 'owner-file', 'signals'];

/** The JSON Schema of a document, as `/schema/<name>.schema.json` serves it. */
export function jsonSchema(name: SchemaName): Record<string, unknown> {
  const io = WRITTEN_BY_HAND.includes(name) ? 'input' : 'output';
  const schema = z.toJSONSchema(SCHEMAS[name], { target: 'draft-2020-12', io });
  // A plain object: zod adds its own methods to the result.
  return JSON.parse(JSON.stringify(schema)) as Record<string, unknown>;
}
