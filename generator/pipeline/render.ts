/** Makes and stages the documents of one build from its entry in the state. */
import { createHash } from 'node:crypto';
import { formatIntegrity } from '../../format/archive/integrity.ts';
import { canonicalJson } from '../../format/document/canonical-json.ts';
import type { BuildSummary, Head } from '../../format/index/record.ts';
import {
  capabilitiesPath,
  compatibilityPath,
  documentPath,
  waiversPath,
  headPath,
  recordPath,
  versionRecordPath,
  tarballPath,
} from '../../format/index/layout.ts';
import { shadcnItemPath, shadcnVersionPath } from '../../format/index/shadcn-path.ts';
import { record, type BuildFacts } from './record.ts';
import { waiveFacts } from '../waivers.ts';
import type { VersionFacts } from '../../scan/version-facts.ts';
import type { Stage } from './emit.ts';
import { GeneratorError } from '../errors.ts';
import { readTarball } from '../../format/archive/tarball.ts';
import type { ShadcnItem } from '../../format/shadcn-item.ts';
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

interface Rendered {
  readonly summary: BuildSummary;
  /** Ids of the builds that the latest version requires. */
  readonly needs: readonly string[];
  /** In a registry that has them. */
  readonly items: RenderedItems | undefined;
  /** SHA-256 of the head, lower-case hexadecimal. */
  readonly headDigest: string;
  /** SHA-256 of the documents that the head names, lower-case hexadecimal. */
  readonly named: readonly string[];
  /** How many documents are new to the index. */
  readonly written: number;
}

/** Stages the records and the head of a build, and its items for shadcn. */
export function render(build: StoredBuild, work: ItemWork | undefined, stage: Stage): Rendered {
  const facts = factsOf(build);
  const made = record(facts);
  const { records, capabilities, latest, compatibility, waivers, summary } = made;
  let written = 0;
  const add = (path: string, text: string): void => {
    if (stage.add(path, text)) written += 1;
  };
  // Under its digest is what clients read; at its own path the same for people and simple clients.
  const addHashed = (path: string, text: string): string => {
    const digest = createHash('sha256').update(text).digest('hex');
    add(path, text);
    add(documentPath(digest), text);
    return digest;
  };
  const digests = new Map<string, string>();
  const addNamed = (path: string, document: unknown): void => {
    digests.set(path, addHashed(path, canonicalJson(document)));
  };
  const { id } = build;
  for (const one of records) addNamed(versionRecordPath(id, one.version), one);
  add(recordPath(id), canonicalJson(latest));
  for (const one of capabilities) addNamed(capabilitiesPath(id, one.version), one);
  if (compatibility !== undefined) addNamed(compatibilityPath(id), compatibility);
  if (waivers !== undefined) addNamed(waiversPath(id), waivers);
  const headDigest = addHashed(headPath(id), canonicalJson(withDigests(made.head, digests)));
  const needs = Object.keys(latest.manifest.builds ?? {});
  const items = work && renderItems(build.id, facts.versions, work, stage);
  const named = [...digests.values()];
  return { summary, needs, items, headDigest, named, written: written + (items?.written ?? 0) };
}

/** The head with the digests of the other documents. The record of the build is that of its latest version. */
function withDigests(head: Head, digests: ReadonlyMap<string, string>): Head {
  const { id, latest } = head;
  const digestOf = (path: string): string | undefined => {
    const digest = digests.get(path);
    return digest && formatIntegrity(Buffer.from(digest, 'hex'));
  };
  const compatibility = digestOf(compatibilityPath(id));
  const waivers = digestOf(waiversPath(id));
  return {
    ...head,
    documents: {
      record: digestOf(versionRecordPath(id, latest))!,
      ...(compatibility === undefined ? {} : { compatibility }),
      ...(waivers === undefined ? {} : { waivers }),
    },
    versions: head.versions.map((one) => ({
      ...one,
      documents: {
        record: digestOf(versionRecordPath(id, one.version))!,
        capabilities: digestOf(capabilitiesPath(id, one.version))!,
      },
    })),
  };
}

/** The facts of a build from its entry in the state. */
export function factsOf(build: StoredBuild): BuildFacts {
  const versions = build.versions.map((json) => {
    const facts = JSON.parse(json) as VersionFacts;
    return waiveFacts(facts, build.waivers[facts.version]);
  });
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
