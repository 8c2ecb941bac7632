/**
 * Examines one build folder: validates, checks and packs it, and applies the size limit. The generator, the gate and
 * `stackyard check` all call this, so that they report the same.
 */
import { MAX_TARBALL_BYTES, INTEGRATION_FILE } from '../format/build/build-files.ts';
import { finding, sortFindings, findingGroup, type Finding } from '../format/finding/finding.ts';
import type { CapabilityLists } from '../format/index/capabilities.ts';
import type { Risk } from '../format/index/record.ts';
import { NO_CAPABILITIES, deriveCapabilities, unreadPaths } from './capabilities.ts';
import { openBuild } from './open-build.ts';
import { allRules } from './rules/all.ts';
import { checkFailed, findingsOf, scan } from './scan.ts';
import { pack, type Tarball } from './pack.ts';
import { qualityOf } from './quality.ts';
import { riskOf } from './risk.ts';
import { validate, type Build, type SourceBuild } from './validate.ts';
import type { BuildContent, ScannedBuild } from './scanned-file.ts';
import { guideOf, wiredFiles, type WiredFile } from './text/wired-files.ts';

/** A build of valid form, with its measurements. */
interface PublishableBuild {
  readonly build: Build;
  readonly tarball: Tarball;
  /** The findings of every group, errors first. */
  readonly findings: readonly Finding[];
  readonly capabilities: CapabilityLists;
  /** Paths of the files whose code was not read, or not completely. */
  readonly unread: readonly string[];
  readonly risk: Risk;
  /** 0 to 100. */
  readonly quality: number;
}

export interface ExaminedBuild {
  /** Absent when the folder is not a valid build: then no check ran. */
  readonly valid: PublishableBuild | undefined;
  /** Every finding, errors first. */
  readonly findings: readonly Finding[];
  /** Faults of form and size, which prevent the folder from becoming a version. Part of `findings`. */
  readonly faults: readonly Finding[];
  /** No finding at level `error`: the gate would not refuse the build because of its content. */
  readonly isPublishable: boolean;
}

/** The steps of examining a build whose time can be measured. */
export type Step = 'validate' | 'check' | 'pack';

/** Does the work of a step and returns its result. */
export type Measure = <Value>(step: Step, work: () => Value) => Value;

/** How the scan of a build ended the thread that did it. */
export interface ScanEnd {
  readonly cause: 'memory' | 'time';
  /** The limit in seconds of processor time. */
  readonly detail: string;
  /** The file that was read last, where it is known. */
  readonly file: string;
}

/**
 * Validates, checks, packs and rates a build.
 * @param ended the scan is left out, for this reason
 * @param packed what packing it gives, where this is known
 */
export function examineBuild(
  source: SourceBuild,
  measure: Measure = (_, work) => work(),
  ended?: ScanEnd,
  packed?: Tarball,
): ExaminedBuild {
  const validated = measure('validate', () => validate(source));
  if (!validated.ok) {
    const findings = sortFindings(validated.findings);
    const faults = findings.filter(({ level }) => level === 'error');
    return { valid: undefined, findings, faults, isPublishable: false };
  }
  const { build } = validated;
  const { scanned, capabilities, unread } = measure('check', () =>
    ended === undefined ? check(build) : unscanned(build, ended),
  );
  const tarball = packed ?? measure('pack', () => pack(build));
  const faults = tarballFaults(tarball);
  const findings = sortFindings([...validated.findings, ...scanned, ...faults]);
  const [risk, quality] = [riskOf(findings), qualityOf(findings)];
  return {
    valid: { build, tarball, findings, capabilities, unread, risk, quality },
    findings,
    faults,
    isPublishable: !findings.some(({ level }) => level === 'error'),
  };
}

/** The opened build, with its texts and trees, is free before the build is packed. */
function check(build: Build): {
  readonly scanned: Finding[];
  readonly capabilities: CapabilityLists;
  readonly unread: readonly string[];
} {
  const opened = openBuild(build);
  const blocks = openBlocks(build);
  const failed: Finding[] = [];
  const attempt = <Result>(name: string, work: () => Result, otherwise: Result): Result => {
    try {
      return work();
    } catch (error) {
      failed.push(checkFailed(name, error));
      return otherwise;
    }
  };
  const inBlocks = attempt(
    'wired blocks',
    () => (blocks === undefined ? [] : scanBlocks(blocks)),
    [],
  );
  const derive = (): CapabilityLists => deriveCapabilities(opened, blocks?.opened);
  const capabilities = attempt('capabilities', derive, unreadCapabilities(build));
  const unread = attempt(
    'unread files',
    () => unreadPaths(opened, blocks?.opened),
    build.files.map(({ path }) => path),
  );
  return { scanned: scan(opened, allRules, [...inBlocks, ...failed]), capabilities, unread };
}

function unscanned(build: Build, { cause, detail, file }: ScanEnd): ReturnType<typeof check> {
  // A wired block has a path of its own.
  const isKnown = build.files.some(({ path }) => path === file);
  const scanned = [finding('scan-ended', isKnown ? file : '', { cause, detail })];
  const unread = build.files.map(({ path }) => path);
  return { scanned, capabilities: unreadCapabilities(build), unread };
}

/** Those of a build of which nothing is known: every file of it is unread. */
function unreadCapabilities({ files }: Build): CapabilityLists {
  const unread = files.map(({ path }) => path).sort();
  return { ...NO_CAPABILITIES, unread };
}

/**
 * The digest of the version that a build folder would become; `undefined` when it is not a valid build.
 * Cheaper than `examineBuild`: no check runs.
 */
export function integrityOf(source: SourceBuild): string | undefined {
  const validated = validate(source);
  if (!validated.ok) return undefined;
  const tarball = pack(validated.build);
  return tarballFaults(tarball).length > 0 ? undefined : tarball.integrity;
}

/**
 * The capabilities of the code of a build folder, with its wired blocks; `undefined` when it is not a valid build.
 *
 * @param isRead false for a build whose scan ended a thread: all of it is unread
 */
export function capabilitiesOf(source: SourceBuild, isRead = true): CapabilityLists | undefined {
  const validated = validate(source);
  if (!validated.ok) return undefined;
  const { build } = validated;
  if (!isRead) return unreadCapabilities(build);
  try {
    return deriveCapabilities(openBuild(build), openBlocks(build)?.opened);
  } catch {
    return unreadCapabilities(build);
  }
}

function tarballFaults({ bytes }: Tarball): Finding[] {
  const args = { bytes: bytes.length, limit: MAX_TARBALL_BYTES };
  return bytes.length > MAX_TARBALL_BYTES ? [finding('build-tarball-size', '', args)] : [];
}

/** The wired blocks of a guide, opened as files of a build. */
interface OpenedBlocks {
  readonly opened: ScannedBuild;
  readonly files: readonly WiredFile[];
}

/** `undefined` for a build without wired blocks. */
export function openBlocks({ id, manifest, files }: BuildContent): OpenedBlocks | undefined {
  const wired = wiredFiles(guideOf(files));
  if (wired.length === 0) return undefined;
  const blocks = wired.map(({ path, text }) => ({
    path,
    bytes: Buffer.from(text),
    executable: false,
  }));
  return { opened: openBuild({ id, manifest, files: blocks }), files: wired };
}

/** The safety findings of blocks, at their places in the guide. */
export function scanBlocks({ opened, files }: OpenedBlocks): Finding[] {
  return findingsOf(opened, allRules).flatMap((found) => {
    const file = files.find(({ path }) => path === found.file);
    if (file === undefined || findingGroup(found) !== 'safety') return [];
    const { place } = found;
    const line = file.lineInGuide(place?.line ?? 1);
    return [{ ...found, file: INTEGRATION_FILE, place: { column: 1, length: 0, ...place, line } }];
  });
}
