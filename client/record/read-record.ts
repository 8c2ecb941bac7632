/** Reads the record of a version: the index has records of latest versions alone. */
import { withFindings } from '../../format/finding/finding.ts';
import { recordPath } from '../../format/index/layout.ts';
import { type HeadVersion, PackageRecord } from '../../format/index/record.ts';
import type { VersionDocument } from '../../format/index/version-document.ts';
import type { Registry } from '../registry/registry.ts';

/**
 * The record that shows a version; README and guide of others than the latest are in the tarball.
 * @throws {ClientError} those of the registry
 */
export async function readRecord(
  registry: Registry,
  id: string,
  listed: HeadVersion,
): Promise<PackageRecord | undefined> {
  const latest = await registry.about(PackageRecord, recordPath(id), id, 'record');
  if (latest === undefined || listed.version === latest.version) return latest;
  const shown = await registry.version(id, listed.version);
  return shown && recordOfVersion(latest, shown, listed);
}

/** The SWHID of a folder (ISO/IEC 18670) begins so. */
const TREE = 'swh:1:dir:';

/**
 * The record that shows another version than the latest, without its texts.
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
    readme: '',
    integration: '',
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
