/**
 * What is fixed with the publication of a version, `/builds/<owner>/<name>/<version>.json`. It never changes; a
 * withdrawal removes its texts, a take-down all content.
 */
import { z } from 'zod';
import { withFindings } from '../finding/finding.ts';
import { Provenance } from '../provenance/provenance.ts';
import { Capabilities } from './capabilities.ts';
import { type HeadVersion, PackageRecord } from './record.ts';

const { id, version, published_at, integrity, manifest, readme, integration, files, checks } =
  PackageRecord.shape;

export const VersionDocument = z
  .object({
    id,
    version,
    published_at,
    integrity,
    size: z.int().min(0).describe('Bytes of the tarball.'),
    manifest,
    readme,
    integration,
    files,
    checks: checks.describe('As they were when it was published.'),
    capabilities: Capabilities,
    provenance: Provenance,
  })
  .meta({ title: 'Stackyard version' });
export type VersionDocument = z.infer<typeof VersionDocument>;

/**
 * The record that shows another version than the latest.
 * @param record of the build
 * @param listed the version in the head, which has what was found later
 */
export function recordOfVersion(
  record: PackageRecord,
  shown: VersionDocument,
  { risk, findings = [] }: HeadVersion,
): PackageRecord {
  const { capabilities: _, provenance, size: _size, ...fixed } = shown;
  const { kind, description, keywords = [], license, stack, repository } = fixed.manifest;
  const isOfRegistry =
    record.manifest.repository === undefined && !record.repository.startsWith(TREE);
  const source = isOfRegistry ? record.repository : `${TREE}${provenance.predicate.entry.tree}`;
  return {
    ...record,
    ...fixed,
    kind,
    description,
    keywords,
    requires: stack?.requires ?? {},
    provides: stack?.provides ?? [],
    license,
    repository: repository ?? source,
    risk,
    quality: fixed.checks.quality,
    checks: { ...fixed.checks, risk, findings: [...withFindings(fixed.checks.findings, findings)] },
  };
}

/** The SWHID of a folder (ISO/IEC 18670) begins so. */
const TREE = 'swh:1:dir:';
