/** What the registry will say of a build: validation, checks and size, as the generator has them. */
import { MAX_TARBALL_BYTES } from '../format/build/build-files.ts';
import type { Finding } from '../format/finding/finding.ts';
import { finding, sortFindings } from '../format/finding/finding.ts';
import { allRules } from '../checks/rules/all.ts';
import { openBuild } from '../checks/open-build.ts';
import { validate } from './validate.ts';
import type { Build, SourceBuild } from './validate.ts';
import { scan } from '../checks/scan.ts';
import { pack } from './pack.ts';
import type { Tarball } from './pack.ts';

export interface ExaminedBuild {
  /** Absent where the build is not valid: then nothing was checked. */
  readonly valid: { readonly build: Build; readonly tarball: Tarball } | undefined;
  /** Errors first. */
  readonly findings: readonly Finding[];
  /** Whether nothing forbids publishing it. */
  readonly isPublishable: boolean;
}

/** Validates, checks and packs a build. */
export function examineBuild(source: SourceBuild): ExaminedBuild {
  const validated = validate(source);
  if (!validated.ok) {
    return {
      valid: undefined,
      findings: sortFindings([...validated.findings]),
      isPublishable: false,
    };
  }
  const { build } = validated;
  const tarball = pack(build);
  const found = [...validated.findings, ...scan(openBuild(build), allRules)];
  if (tarball.bytes.length > MAX_TARBALL_BYTES) {
    const args = { bytes: tarball.bytes.length, limit: MAX_TARBALL_BYTES };
    found.push(finding('build-tarball-size', '', args));
  }
  const findings = sortFindings(found);
  const isPublishable = !findings.some(({ level }) => level === 'error');
  return { valid: { build, tarball }, findings, isPublishable };
}
