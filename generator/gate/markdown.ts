/** Formats the verdict as a comment: reasons, findings, capabilities, changed files. */
import type { CapabilityLists } from '../../format/index/capabilities.ts';
import type { GateVerdict, JudgedBuild, Reason } from '../../format/registry/gate-verdict.ts';
import { codeMarkdown, escapeMarkdown } from './escape.ts';

const MAX_ROWS = 50;

const HEADLINES: Readonly<Record<GateVerdict['verdict'], string>> = {
  merge: 'The gate merges this pull request',
  review: 'An admin looks at this pull request',
  refuse: 'This pull request cannot be merged as it is',
};

const CAPABILITIES = {
  hosts: 'sends to',
  environment: 'reads variables',
  reads: 'reads paths',
  writes: 'writes paths',
  processes: 'starts programs',
  dynamic_code: 'runs code made while it runs',
  unread: 'has files that were not read',
} as const satisfies Record<Exclude<keyof CapabilityLists, 'language'>, string>;

/** Markdown of at most about 60,000 characters, the limit of a code host's comments. */
export function formatMarkdown(verdict: GateVerdict): string {
  const parts = [
    `## ${HEADLINES[verdict.verdict]}`,
    introduction(verdict),
    ...(verdict.reasons.length === 0 ? [] : [reasonTable(verdict.reasons)]),
    ...verdict.builds.flatMap(buildParts),
  ];
  const page = `${parts.join('\n\n')}\n`;
  // Cut between parts, so that no entity or tag is left open.
  if (page.length <= 60_000) return page;
  return `${parts.slice(0, 2).join('\n\n')}\n\nThe report is too long to be shown here: see the log of the gate.\n`;
}

function introduction(all: GateVerdict): string {
  const { verdict, head, base, review_hours: hours, waiting_hours: waiting } = all;
  const about = `Commit ${codeMarkdown(head.slice(0, 12))} on ${codeMarkdown(base.slice(0, 12))}.`;
  if (verdict === 'merge') return `${about} Everything is as it should be.`;
  if (verdict === 'refuse') return `${about} Push a commit that fixes it: the gate judges again.`;
  if (waiting === undefined) return `${about} Expect an answer within ${hours} hours.`;
  return `${about} Unless an admin holds it, it is merged ${waiting} hours after the gate first reported this for this commit.`;
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
