/** What a rule is: one file in `rules/`, one kind of problem, a pure function of a build. */
import type { FindingCode } from '../format/finding/catalogue.ts';
import { at, finding, type Finding } from '../format/finding/finding.ts';
import type { FindingArgs, FindingLevel } from '../format/finding/texts/finding-text.ts';
import type { ScannedBuild, ScannedFile } from './scanned-file.ts';

/** One rule of the scanner. */
export interface Rule {
  /** The name of its file; the codes of its findings begin with it. */
  readonly name: string;
  readonly run: (build: ScannedBuild) => Finding[];
}

/** A rule that judges each file by itself. */
export function ruleOfFiles(
  name: string,
  check: (file: ScannedFile, build: ScannedBuild) => Finding[],
): Rule {
  return { name, run: (build) => build.files.flatMap((file) => check(file, build)) };
}

/** A finding at `length` UTF-16 units from `start` in the text of `file`. */
export function findingIn(
  file: Pick<ScannedFile, 'path' | 'place'>,
  code: FindingCode,
  args: FindingArgs,
  start: number,
  length: number,
  level?: FindingLevel,
): Finding {
  return at(finding(code, file.path, args, level), file.place(start, length));
}
