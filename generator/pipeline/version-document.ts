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
  /** The document that is published, where git may have the commit no more. */
  readonly kept: string | undefined;
}

export async function versionDocument(
  facts: VersionFacts,
  { id, place: { index, commit, tree }, kept }: Publishing,
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
  // The message of a commit may have what was taken down.
  const object = isTakenDown ? undefined : await reader.read(commit, { left: MAX_COMMIT_BYTES });
  const isLost = object === undefined && !isTakenDown && kept !== undefined;
  const stated = isLost ? keptProvenance(kept, entry, index) : undefined;
  return {
    id,
    version,
    published_at,
    integrity,
    size,
    manifest,
    files: [...files],
    checks: { risk: facts.risk, quality: facts.quality, findings: [...facts.findings] },
    capabilities: facts.capabilities,
    provenance: stated ?? provenanceOf(entry, index, object?.bytes),
  };
}

/** What is still known of a commit that a rewritten history has no more; of an older interface nothing. */
function keptProvenance(text: string, entry: PublishEntry, index: number): Provenance | undefined {
  try {
    const bytes = new TextEncoder().encode(text);
    const { provenance } = parseDocument(VersionDocument, bytes, 'the document');
    const checked = checkProvenance(provenance, entry, index);
    return 'provenance' in checked ? checked.provenance : undefined;
  } catch (error) {
    if (error instanceof FormatError) return undefined;
    throw error;
  }
}
