/** Formats the verdict as a comment: reasons, findings, capabilities, changed files. */
import type { CapabilityLists } from '../../format/index/capabilities.ts';
import type { GateVerdict, JudgedBuild, Reason } from '../../format/registry/gate-verdict.ts';
import { codeMarkdown, escapeMarkdown } from './escape.ts';
import { CAPABILITIES, HEADLINES, describeNext } from './verdict-words.ts';

const MAX_ROWS = 50;

/** Markdown of at most about 60,000 characters, the limit of a code host's comments. */
export function formatMarkdown(verdict: GateVerdict): string {
  const parts = [
    `## ${HEADLINES[verdict.verdict]}`,
    `Commit ${codeMarkdown(verdict.head.slice(0, 12))} on ${codeMarkdown(verdict.base.slice(0, 12))}. ${describeNext(verdict)}`,
    ...(verdict.reasons.length === 0 ? [] : [reasonTable(verdict.reasons)]),
    ...verdict.builds.flatMap(buildParts),
  ];
  const page = `${parts.join('\n\n')}\n`;
  // Cut between parts, so that no entity or tag is left open.
  if (page.length <= 60_000) return page;
  return `${parts.slice(0, 2).join('\n\n')}\n\nThe report is too long to be shown here: see the log of the gate.\n`;
}

function reasonTable(reasons: readonly Reason[]): string {
  const rows = reasons.slice(0, MAX_ROWS).map(({ level, code, file, line, message, remedy }) => {
    const place = file === '' ? '' : codeMarkdown(line === 0 ? file : `${file}:${line}`, 200);
    return [level, codeMarkdown(code), place, escapeMarkdown(message), escapeMarkdown(remedy)];
  });
  return table(['', 'Code', 'Where', 'Why', 'What to do'], rows, reasons.length);
}

function buildParts(build: JudgedBuild): string[] {
  const { id, version, previous, risk, quality, findings, gained, lost } = build;
  const title = version === '' ? id : `${id}@${version}`;
  const than = previous === '' ? 'the first version' : `against ${previous}`;
  const scores = risk === undefined ? '' : `Risk ${risk}, quality ${quality ?? 0}, `;
  return [
    `### ${codeMarkdown(title)}`,
    `${scores}${escapeMarkdown(than)}.`,
    ...(findings.length === 0 ? [] : [findingTable(findings)]),
    ...capabilityLines(previous === '' ? 'does' : 'does newly', gained),
    ...capabilityLines('does no more', lost),
    ...fileTable(build),
  ];
}

function findingTable(findings: JudgedBuild['findings']): string {
  const rows = findings.slice(0, MAX_ROWS).map(({ level, code, file, line, message }) => {
    const place = file === '' ? '' : codeMarkdown(line === 0 ? file : `${file}:${line}`, 200);
    return [level, codeMarkdown(code), place, escapeMarkdown(message)];
  });
  return table(['Level', 'Finding', 'Where', 'What'], rows, findings.length);
}

function capabilityLines(does: string, lists: CapabilityLists | undefined): string[] {
  if (lists === undefined) return [];
  const lines = Object.entries(CAPABILITIES).flatMap(([kind, text]) => {
    const value = lists[kind as keyof typeof CAPABILITIES];
    if (typeof value === 'boolean') return value ? [`- ${text}`] : [];
    if (value.length === 0) return [];
    const names = value.slice(0, 20).map((name) => codeMarkdown(name, 120));
    const more = value.length > names.length ? ` and ${value.length - names.length} more` : '';
    return [`- ${text}: ${names.join(', ')}${more}`];
  });
  return lines.length === 0 ? [] : [`The code ${does}:\n\n${lines.join('\n')}`];
}

function fileTable({ files, more_files: more }: JudgedBuild): string[] {
  if (files.length === 0) return [];
  const [added, removed] = [sum(files.map((f) => f.added)), sum(files.map((f) => f.removed))];
  const rows = files
    .slice(0, MAX_ROWS)
    .map((f) => [codeMarkdown(f.path, 200), f.change, `+${f.added} -${f.removed}`]);
  const count = files.length + more;
  const title = `${count} files, +${added} -${removed} lines`;
  const body = table(['File', '', 'Lines'], rows, count);
  return [`<details><summary>${title}</summary>\n\n${body}\n\n</details>`];
}

function table(head: readonly string[], rows: readonly string[][], count: number): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const more = count > rows.length ? `\n\n${count - rows.length} more are not shown.` : '';
  return `${[line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')}${more}`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
