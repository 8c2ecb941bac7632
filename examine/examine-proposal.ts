/**
 * Examines a build that is to be published. In addition to what the generator requires of every version, which
 * must stay as it is for published ones, this is required of new versions.
 */
import { MANIFEST_FILE } from '../format/build/build-files.ts';
import { finding, sortFindings } from '../format/finding/finding.ts';
import type { ExaminedBuild, ScanEnd } from './examine-build.ts';
import { examineBuild } from './examine-build.ts';
import type { SourceBuild } from './validate.ts';

/** `examineBuild`, with an error for a build of which an install would place no file. */
export function examineProposal(source: SourceBuild, ended?: ScanEnd): ExaminedBuild {
  const examined = examineBuild(source, undefined, ended);
  if (examined.valid === undefined || examined.valid.build.installed.length > 0) return examined;
  const fault = finding('manifest-places-nothing', MANIFEST_FILE);
  return {
    ...examined,
    findings: sortFindings([...examined.findings, fault]),
    faults: sortFindings([...examined.faults, fault]),
    isPublishable: false,
  };
}
