/** The verdict for a person at a terminal: reasons first, then each build. Text of publishers is quoted. */
import { quote } from '../../checks/unicode/quote.ts';
import type { CapabilityLists } from '../../format/index/capabilities.ts';
import type { GateVerdict, JudgedBuild } from '../../format/registry/gate-verdict.ts';
import { CAPABILITIES, HEADLINES, describeNext } from './verdict-words.ts';

const MAX_TEXT = 500;
const MAX_NAMES = 20;

/** Lines without control characters or markup, each with a line feed at its end. */
export function formatPlainText(verdict: GateVerdict): string {
  const { head, base, reasons, builds } = verdict;
  const lines = [
    HEADLINES[verdict.verdict],
    `Commit ${head.slice(0, 12)} on ${base.slice(0, 12)}. ${describeNext(verdict)}`,
    ...reasons.flatMap(({ level, code, file, line, message, remedy }) => [
      '',
      `${level}  ${code}${placeOf(file, line)}`,
      `  ${clean(message)}`,
      `  ${clean(remedy)}`,
    ]),
    ...builds.flatMap((build) => ['', ...buildLines(build)]),
  ];
  return `${lines.join('\n')}\n`;
}

function buildLines(build: JudgedBuild): string[] {
  const { id, version, previous, risk, quality, findings, gained, lost } = build;
  const than = previous === '' ? 'the first version' : `against ${previous}`;
  const scores = risk === undefined ? '' : `risk ${risk}, quality ${quality ?? 0}, `;
  return [
    `${clean(version === '' ? id : `${id} ${version}`)}: ${scores}${clean(than)}`,
    ...findings.flatMap(({ level, code, file, line, message }) => [
      `  ${level}  ${code}${placeOf(file, line)}`,
      `    ${clean(message)}`,
    ]),
    ...capabilityLines(previous === '' ? 'does' : 'does newly', gained),
    ...capabilityLines('does no more', lost),
    ...fileLines(build),
  ];
}

function capabilityLines(does: string, lists: CapabilityLists | undefined): string[] {
  if (lists === undefined) return [];
  return Object.entries(CAPABILITIES).flatMap(([kind, text]) => {
    const value = lists[kind as keyof typeof CAPABILITIES];
    if (typeof value === 'boolean') return value ? [`  ${does}: ${text}`] : [];
    if (value.length === 0) return [];
    const more = value.length > MAX_NAMES ? ` and ${value.length - MAX_NAMES} more` : '';
    return [`  ${does}: ${text} ${value.slice(0, MAX_NAMES).map(clean).join(', ')}${more}`];
  });
}

function fileLines({ files, more_files: more }: JudgedBuild): string[] {
  const lines = files.map(
    ({ path, change, added, removed }) =>
      `  ${change.padEnd(8)} ${clean(path)}  +${added} -${removed}`,
  );
  return more === 0 ? lines : [...lines, `  and ${more} more files`];
}

function placeOf(file: string, line: number): string {
  if (file === '') return '';
  return `  ${clean(line === 0 ? file : `${file}:${line}`)}`;
}

function clean(text: string): string {
  return quote(text, MAX_TEXT);
}
