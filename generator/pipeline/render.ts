/** Makes and stages the documents of one build from its entry in the state. */
import { createHash } from 'node:crypto';
import { formatIntegrity, hexOfIntegrity } from '../../format/archive/integrity.ts';
import { canonicalJson } from '../../format/document/canonical-json.ts';
import { formatHead } from '../../format/index/head-document.ts';
import {
  compatibilityPath,
  documentPath,
  waiversPath,
  headPath,
  recordPath,
  tarballPath,
  versionPath,
} from '../../format/index/layout.ts';
import { shadcnItemPath, shadcnVersionPath } from '../../format/index/shadcn-path.ts';
import { record, type BuildFacts } from './record.ts';
import { waiveFacts } from '../waivers.ts';
import type { VersionFacts } from '../../scan/version-facts.ts';
import type { Stage } from './emit.ts';
import { GeneratorError } from '../errors.ts';
import { readTarball } from '../../format/archive/tarball.ts';
import type { ShadcnItem } from './shadcn-item.ts';
import type { ObjectReader } from '../git/object-reader.ts';
import { versionDocument } from './version-document.ts';
import {
  itemEntry,
  type ItemVersion,
  type ItemWork,
  makeItem,
  type RenderedItems,
} from './shadcn-items.ts';

/** `BuildFacts` as the state holds them. */
export interface StoredBuild extends Omit<BuildFacts, 'versions' | 'updated_at'> {
  /** `VersionFacts` of every version as JSON. */
  readonly versions: readonly string[];
  /** When yanks or signals last changed; `""` when never. */
  readonly changed_at: string;
}

/** What rendering needs beside the build. */
interface RenderWork {
  readonly items: ItemWork | undefined;
  /** Published documents of versions, by version: they may state commits that git has no more. */
  readonly kept: Readonly<Record<string, string>>;
}

/**
 * Stages the documents of versions that have none, the record and the head of a build, and its items for shadcn.
 * @returns `needs`: ids of the builds that the latest version requires; `made`: integrities of the documents of versions that this run
 * made, by version; digests of the head and of what it names, SHA-256 in lower-case hexadecimal
 */
export async function render(
  stored: StoredBuild,
  { items: work, kept }: RenderWork,
  { stage, reader }: { readonly stage: Stage; readonly reader: Pick<ObjectReader, 'read'> },
) {
  const { id } = stored;
  let written = 0;
  const add = (path: string, text: string): void => {
    if (stage.add(path, text)) written += 1;
  };
  // Clients read a document by its digest; at its own address it is for people and simple clients.
  const addNamed = (text: string, path?: string): string => {
    if (path !== undefined) add(path, text);
    const sha256 = createHash('sha256').update(text).digest();
    add(documentPath(sha256.toString('hex')), text);
    return formatIntegrity(sha256);
  };
  const made: Record<string, string> = {};
  const versions = stored.versions.map((json) => JSON.parse(json) as VersionFacts);
  for (const facts of versions) {
    const { version } = facts;
    const place = stored.places.find((one) => one.version === version);
    if (stored.documents[version] !== undefined || place === undefined) continue;
    const publishing = { id, place, kept: kept[version] };
    const text = canonicalJson(await versionDocument(facts, publishing, reader));
    made[version] = addNamed(text, versionPath(id, version));
  }
  const facts = factsOf({ ...stored, documents: { ...stored.documents, ...made } }, versions);
  const { latest, compatibility, waivers, summary, head } = record(facts);
  const addDocument = (path: string, document: unknown): string =>
    addNamed(canonicalJson(document), path);
  const documents = {
    record: addDocument(recordPath(id), latest),
    ...(compatibility && { compatibility: addDocument(compatibilityPath(id), compatibility) }),
    ...(waivers && { waivers: addDocument(waiversPath(id), waivers) }),
  };
  const { text, older } = formatHead({ ...head, documents });
  const chunks = older.map((one) => addNamed(one));
  const headDigest = hexOfIntegrity(addNamed(text, headPath(id)));
  const own = Object.values(facts.documents);
  const named = [...own, ...Object.values(documents), ...chunks].map(hexOfIntegrity);
  const needs = Object.keys(latest.manifest.builds ?? {});
  const items = work && renderItems(id, facts.versions, work, stage);
  written += items?.written ?? 0;
  return { summary, needs, items, made, named, headDigest, written };
}

/** The facts of a build from its entry in the state. */
export function factsOf(
  build: StoredBuild,
  parsed: readonly VersionFacts[] = build.versions.map((json) => JSON.parse(json) as VersionFacts),
): BuildFacts {
  const versions = parsed.map((facts) => waiveFacts(facts, build.waivers[facts.version]));
  const times = [build.changed_at, ...versions.map((v) => v.published_at)];
  const updated_at = times.reduce((newest, time) => (time > newest ? time : newest));
  return { ...build, versions, updated_at };
}

function renderItems(
  id: string,
  facts: readonly VersionFacts[],
  work: ItemWork,
  stage: Stage,
): RenderedItems {
  const itemOf = ({ version, requires, elsewhere }: ItemVersion): ShadcnItem | undefined => {
    const own = facts.find((one) => one.version === version);
    if (own === undefined || own.manifest.kind !== 'module') return undefined;
    const tarball = stage.find(tarballPath(id, version));
    if (tarball === undefined) {
      throw new GeneratorError(
        'ERR_STATE',
        `Cannot make the item of ${id}@${version}: its tarball is in the store`,
        {
          hint: 'run "generate --full"',
        },
      );
    }
    const entries = readTarball(tarball);
    const files = new Map(entries.map(({ path, bytes }) => [path, bytes]));
    return makeItem(own, { id, address: work.address, requires, elsewhere, files });
  };
  let written = 0;
  const add = (path: string, item: ShadcnItem): void => {
    if (stage.add(path, canonicalJson(item))) written += 1;
  };
  const versions: string[] = [];
  for (const one of work.versions) {
    // Of one that is in a store, the run that made it found that it has no item.
    if (stage.find(tarballPath(id, one.version)) === undefined) continue;
    const item = itemOf(one);
    if (item === undefined) continue;
    add(shadcnVersionPath(id, one.version), item);
    versions.push(one.version);
  }
  const latest = work.latest === undefined ? undefined : itemOf(work.latest);
  if (latest !== undefined) add(shadcnItemPath(id), latest);
  const entry = latest === undefined ? undefined : JSON.stringify(itemEntry(latest));
  return { versions, entry, written };
}
