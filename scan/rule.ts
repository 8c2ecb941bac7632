/** The type of a rule: one file in `rules/`, one kind of problem, a pure function of a build. */
import type { Finding } from '../format/finding/finding.ts';
import type { ScannedBuild } from './scanned-file.ts';

/** One rule of the scanner. */
export interface Rule {
  /** The name of its file; the codes of its findings begin with it. */
  readonly name: string;
  readonly run: (build: ScannedBuild) => Finding[];
}
