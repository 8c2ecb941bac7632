/** Findings for people, grouped, with the source line and a mark under the place; and as data. */
import {
  findingGroup,
  findingMessage,
  publishFinding,
  type Finding,
} from '../../format/finding/finding.ts';
import type { FindingLevel } from '../../format/finding/texts/finding-text.ts';
import { FINDING_TEXTS } from '../../format/finding/catalogue.ts';
import type { Source } from '../../scan/source.ts';
import { oneLine } from './printable.ts';
import { span, type Role, type StyledText } from './styled-text.ts';

const GROUPS = ['manifest', 'safety', 'supply-chain', 'agent', 'quality'] as const;
const MAX_COLUMNS = 100;
// oxlint-disable-next-line no-misleading-character-class
const INVISIBLE = /[\p{C}\u115F\u1160\u3164\uFFA0\uFE00-\uFE0F\u{E0100}-\u{E01EF}]/gu;
const ROLES: Readonly<Record<FindingLevel, Role>> = {
  error: 'bad',
  warn: 'changed',
  info: 'path',
};

/** Lines for all `findings`, in the order of the groups. */
export function findingLines(findings: readonly Finding[], source: Source): StyledText[] {
  const texts = new Map<string, readonly string[]>();
  const linesOf = (file: string): readonly string[] => {
    const known = texts.get(file);
    if (known !== undefined) return known;
    const bytes = source.files.find(({ path }) => path === file)?.bytes;
    const lines = (bytes?.toString('utf8').replace(/^\uFEFF/, '') ?? '').split('\n');
    texts.set(file, lines);
    return lines;
  };
  return GROUPS.flatMap((group) => {
    const of = findings.filter((found) => findingGroup(found) === group);
    if (of.length === 0) return [];
    return [
      [span('strong', group)],
      ...of.flatMap((found) => linesOfFinding(found, linesOf(found.file))),
      '',
    ];
  });
}

/** A finding as `--json` prints it. */
export function placedFinding(found: Finding): object {
  return { ...publishFinding(found), ...(found.place === undefined ? {} : { place: found.place }) };
}

function linesOfFinding(found: Finding, lines: readonly string[]): StyledText[] {
  const { level, code, file, place } = found;
  const where =
    file === ''
      ? ''
      : `  ${oneLine(file)}${place === undefined ? '' : `:${place.line}:${place.column}`}`;
  const shown: StyledText[] = [
    ['  ', span(ROLES[level], level), `  ${code}`, span('path', where)],
    `      ${oneLine(findingMessage(found))}`,
  ];
  const line = place === undefined ? undefined : lines[place.line - 1];
  if (place !== undefined && line !== undefined && line.trim() !== '') {
    shown.push(...underlined(line, place.column - 1, place.length, ROLES[level]));
  }
  if (level !== 'info') shown.push(['      ', span('faint', FINDING_TEXTS[code].remedy)]);
  return shown;
}

/** The part of a line around a place, with marks under it; invisible characters are shown as dots. */
function underlined(line: string, at: number, length: number, role: Role): StyledText[] {
  const start = at > MAX_COLUMNS - 20 ? at - 20 : 0;
  const visible = (text: string): string =>
    text.replaceAll('\t', ' ').replaceAll(INVISIBLE, '\u00B7');
  const before = visible(line.slice(start, at));
  const marked = visible(line.slice(at, Math.min(at + Math.max(1, length), start + MAX_COLUMNS)));
  const after = visible(line.slice(at + Math.max(1, length), start + MAX_COLUMNS));
  return [
    `      | ${before}${marked}${after}`,
    [`      | ${' '.repeat(before.length)}`, span(role, '^'.repeat(Math.max(1, marked.length)))],
  ];
}
