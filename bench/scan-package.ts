/**
 * Scans one package as a build, in a process of its own, so that memory and a crash are its own. Prints one line of JSON.
 *
 *     node bench/scan-package.ts <folder>
 */
import type { FindingLevel } from '../format/finding/texts/finding-text.ts';
import { findingGroup, findingMessage } from '../format/finding/finding.ts';
import type { Risk } from '../format/index/record.ts';
import { deriveCapabilities } from '../scan/capabilities.ts';
import { openBuild } from '../scan/open-build.ts';
import { allRules } from '../scan/rules/all.ts';
import { scan } from '../scan/scan.ts';
import { riskOf } from '../scan/risk.ts';
import { readPackage } from './package-files.ts';

export interface ScannedPackage {
  readonly files: number;
  readonly bytes: number;
  /** Of JavaScript, TypeScript and Python. */
  readonly codeBytes: number;
  /** The package exceeds the limits of a build: it was scanned as cut to them. */
  readonly isCut: boolean;
  readonly seconds: number;
  /** The most memory that the process had, with Node.js and the content of the files. */
  readonly peakBytes: number;
  readonly risk: Risk;
  /** Files that were not analysed completely. */
  readonly unread: number;
  /** Findings of safety at `warn` or `error`. */
  readonly findings: readonly PackageFinding[];
}

interface PackageFinding {
  readonly level: FindingLevel;
  readonly code: string;
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

const MANIFEST = {
  name: 'x',
  version: '1.0.0',
  kind: 'module',
  description: 'A package',
  license: 'MIT',
} as const;
const CODE = /\.(?:[cm]?[jt]sx?|pyw?)$/;
if (import.meta.main) console.log(JSON.stringify(scanPackage(process.argv[2] ?? '')));

function scanPackage(folder: string): ScannedPackage {
  const { files, isCut } = readPackage(folder);
  const started = performance.now();
  const build = openBuild({ id: 'bench/x', manifest: MANIFEST, files });
  const findings = scan(build, allRules).filter((one) => findingGroup(one) === 'safety');
  const { unread } = deriveCapabilities(build);
  const seconds = (performance.now() - started) / 1000;
  const size = (of: typeof files): number => of.reduce((sum, { bytes }) => sum + bytes.length, 0);
  return {
    files: files.length,
    bytes: size(files),
    codeBytes: size(files.filter(({ path }) => CODE.test(path))),
    isCut,
    seconds,
    peakBytes: process.resourceUsage().maxRSS * 1024,
    risk: riskOf(findings),
    unread: unread.length,
    findings: findings
      .filter(({ level }) => level !== 'info')
      .map((one) => ({
        level: one.level,
        code: one.code,
        file: one.file,
        line: one.place?.line ?? 0,
        message: findingMessage(one),
      })),
  };
}
