/**
 * Makes the document of a version, once: it depends on its tree, its entry in the log and the checks alone. What is
 * found or decided later, the record and the head have.
 */
import { parseDocument } from '../../format/document/document.ts';
import { FormatError } from '../../format/errors.ts';
import { VersionDocument } from '../../format/index/version-document.ts';
import type { PublishEntry } from '../../format/log/entry.ts';
import {
  checkProvenance,
  MAX_COMMIT_BYTES,
  type Provenance,
  provenanceOf,
} from '../../format/provenance/provenance.ts';
import type { VersionFacts } from '../../scan/version-facts.ts';
import type { ObjectReader } from '../git/object-reader.ts';
import type { VersionPlace } from '../state/log-table.ts';

interface Publishing {
  readonly id: string;
  /** Where the version was published. */
  readonly place: VersionPlace;
  /** Its owner or an admin withdrew it. */
  readonly isGone: boolean;
  /** The document that is published, where git may have the commit no more. */
  readonly kept: string | undefined;
}

export async function versionDocument(
  facts: VersionFacts,
  { id, place: { index, commit, tree }, isGone, kept: text }: Publishing,
  reader: Pick<ObjectReader, 'read'>,
): Promise<VersionDocument> {
  const { version, published_at, integrity, size, manifest, files, isTakenDown = false } = facts;
  const entry: PublishEntry = {
    type: 'publish',
    id,
    version,
    integrity,
    tree,
    commit,
    published_at,
  };
  const kept = isTakenDown || text === undefined ? undefined : readKept(text, entry);
  // The message of a commit may have what was taken down.
  const object = isTakenDown ? undefined : await reader.read(commit, { left: MAX_COMMIT_BYTES });
  const isLost = object === undefined && !isTakenDown;
  const made = provenanceOf(entry, index, object?.bytes);
  return {
    id,
    version,
    published_at,
    integrity,
    size,
    manifest,
    readme: isGone ? '' : facts.readme,
    integration: isGone ? '' : facts.integration,
    files: [...files],
    checks: { risk: facts.risk, quality: facts.quality, findings: [...facts.findings] },
    capabilities: facts.capabilities,
    provenance: (isLost ? keptProvenance(kept, entry, index) : undefined) ?? made,
  };
}

/** `undefined` for another document, such as one of an older interface. */
function readKept(text: string, entry: PublishEntry): VersionDocument | undefined {
  try {
    const kept = parseDocument(VersionDocument, new TextEncoder().encode(text), 'the document');
    const isSame = (['id', 'version', 'integrity', 'published_at'] as const).every(
      (field) => kept[field] === entry[field],
    );
    return isSame ? kept : undefined;
  } catch (error) {
    if (error instanceof FormatError) return undefined;
    throw error;
  }
}

/** What is still known of a commit that a rewritten history has no more. */
function keptProvenance(
  kept: VersionDocument | undefined,
  entry: PublishEntry,
  index: number,
): Provenance | undefined {
  const checked = kept && checkProvenance(kept.provenance, entry, index);
  return checked !== undefined && 'provenance' in checked ? checked.provenance : undefined;
}
