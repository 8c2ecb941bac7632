/**
 * Findings: problems of a build, and facts worth knowing about it. They are data, never thrown, and all
 * of them are collected. A code begins with the name of the file that reports it; `catalogue.ts` has the
 * texts.
 */
import { type FindingCode, FINDING_TEXTS } from './catalogue.ts';
import type { FindingArgs, FindingGroup, FindingLevel } from './texts/finding-text.ts';

/** Where in a file a finding is. Lines and columns count from 1, columns in UTF-16 units. */
export interface FindingPlace {
  readonly line: number;
  readonly column: number;
  /** UTF-16 units from the column on; 0 when only the line is known. */
  readonly length: number;
}

export interface Finding {
  readonly level: FindingLevel;
  readonly code: FindingCode;
  /** Path within the build; `""` when the finding is about the whole build. */
  readonly file: string;
  readonly args: FindingArgs;
  /** The evidence, where it can be pointed at. */
  readonly place?: FindingPlace;
}

/** A finding as the package record shows it (specification, "Package record", `checks.findings`). */
export interface PublishedFinding {
  readonly level: FindingLevel;
  readonly code: string;
  readonly file: string;
  readonly message: string;
}

/** `found` pointing at `place`. */
export function at(found: Finding, place: FindingPlace): Finding {
  return { ...found, place };
}

/** Makes a finding; its level is the catalogue's unless the check knows better. */
export function finding(
  code: FindingCode,
  file: string,
  args: FindingArgs = {},
  level: FindingLevel = FINDING_TEXTS[code].level,
): Finding {
  return { level, code, file, args };
}

/** The English text of a finding, one line. */
export function findingMessage(found: Finding): string {
  return FINDING_TEXTS[found.code].message(found.args);
}

/** The group that a finding counts towards. */
export function findingGroup(found: Finding): FindingGroup {
  return FINDING_TEXTS[found.code].group;
}

/** The form in which records carry a finding. */
export function publishFinding(found: Finding): PublishedFinding {
  const { level, code, file } = found;
  const where = found.place === undefined ? '' : ` (line ${found.place.line})`;
  return { level, code, file, message: `${findingMessage(found)}${where}` };
}

const RANK = { error: 0, warn: 1, info: 2 };

/** Findings in their published order: by level (errors first), file, code, message. */
export function sortFindings<Found extends Finding>(findings: readonly Found[]): Found[] {
  return inOrder(findings, findingMessage);
}

/** Both lists as one, in the published order. */
export function withFindings(
  findings: readonly PublishedFinding[],
  added: readonly PublishedFinding[],
): readonly PublishedFinding[] {
  if (added.length === 0) return findings;
  return inOrder([...findings, ...added], ({ message }) => message);
}

function inOrder<Found extends Pick<PublishedFinding, 'level' | 'file' | 'code'>>(
  findings: readonly Found[],
  messageOf: (found: Found) => string,
): Found[] {
  if (findings.length < 2) return [...findings];
  return findings
    .map((f) => ({ f, k: [RANK[f.level], f.file, f.code, messageOf(f)].join('\u0000') }))
    .sort((a, b) => (a.k < b.k ? -1 : a.k > b.k ? 1 : 0))
    .map(({ f }) => f);
}
