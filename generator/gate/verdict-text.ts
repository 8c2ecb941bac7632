/** The verdict as text: for a person at a terminal, as the comment for the code host, and as annotations of its log. Text of publishers is hostile. */
import { quote } from '../../scan/text/quote.ts';
import {
  type CapabilityLists,
  capabilityLines,
  formatCapability,
} from '../../format/index/capabilities.ts';
import type { GateVerdict, JudgedBuild, Reason } from './gate-verdict.ts';
import { buildFolder } from '../../format/registry/repository-layout.ts';

const HEADLINES: Readonly<Record<GateVerdict['verdict'], string>> = {
  merge: 'The gate merges this pull request',
  review: 'An admin looks at this pull request',
  refuse: 'This pull request cannot be merged as it is',
};

/** What became of a merge, instead of what the verdict announces. */
const OUTCOMES = {
  landed: ['The gate merged this pull request', 'Its deployment follows.'],
  unpushed: [
    'The gate could not merge this pull request',
    'It is as it should be, but the code host refused the push: an admin has to let the gate push to the branch. It tries again every hour.',
  ],
  held: ['An admin looks at this pull request', 'A person with rights objected.'],
  draft: [
    'The gate merges this pull request when it is no draft',
    'Everything is as it should be.',
  ],
} as const;

/** What happens next with a pull request. */
function describeNext(all: GateVerdict): string {
  const { verdict, review_hours: hours, waiting_hours: waiting, appeal } = all;
  if (verdict === 'merge') return 'Everything is as it should be.';
  if (verdict === 'refuse') {
    const fix = 'Push a commit that fixes it: the gate judges again.';
    return appeal === undefined ? fix : `${fix} If it is wrong about the build, appeal: ${appeal}`;
  }
  if (waiting === undefined) return `Expect an answer within ${hours} hours.`;
  return `Unless an admin holds it, it is merged ${waiting} hours after the gate first reported this for this commit.`;
}

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
    ...plainCapabilities(previous === '' ? 'can' : 'can now', gained),
    ...plainCapabilities('can no longer', lost),
    ...fileLines(build),
  ];
}

function plainCapabilities(can: string, lists: CapabilityLists | undefined): string[] {
  const lines = lists === undefined ? [] : capabilityLines(lists, MAX_NAMES);
  return lines.map((line) => `  ${can}: ${formatCapability(line, ' ', clean)}`);
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

const MAX_ROWS = 50;

/** Markdown of at most about 60,000 characters, the limit of a code host's comments. */
export function formatMarkdown(
  verdict: GateVerdict,
  outcome?: keyof typeof OUTCOMES,
  stated = '',
): string {
  const [headline, next] =
    outcome === undefined ? [HEADLINES[verdict.verdict], describeNext(verdict)] : OUTCOMES[outcome];
  const parts = [
    `## ${headline}`,
    `Commit ${codeMarkdown(verdict.head.slice(0, 12))} on ${codeMarkdown(verdict.base.slice(0, 12))}. ${next}`,
    ...(stated === '' ? [] : [`The code host states: ${codeMarkdown(stated)}`]),
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
    ...markdownCapabilities(previous === '' ? 'can' : 'can now', gained),
    ...markdownCapabilities('can no longer', lost),
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

function markdownCapabilities(can: string, lists: CapabilityLists | undefined): string[] {
  const lines = lists === undefined ? [] : capabilityLines(lists, MAX_NAMES);
  const code = (name: string): string => codeMarkdown(name, 120);
  const items = lines.map((line) => `- ${formatCapability(line, ': ', code)}`).join('\n');
  return lines.length === 0 ? [] : [`The code ${can}:\n\n${items}`];
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

const MAX_ANNOTATIONS = 50;

/** One line each; reasons first, then the other findings of the builds. */
export function formatAnnotations({ reasons, builds, ...verdict }: GateVerdict): string[] {
  const { root = '' } = verdict;
  const ofReasons = reasons.map(({ level, code, file, line, message, remedy }) =>
    command(level === 'refuse' ? 'error' : 'notice', code, file, line, `${message}. ${remedy}`),
  );
  const ofFindings = builds.flatMap(({ id, findings }) =>
    findings
      .filter((found) => found.level !== 'error')
      .map(({ level, code, file, line, message }) => {
        const path = file === '' ? '' : `${buildFolder(id, { root })}/${file}`;
        return command(level === 'warn' ? 'warning' : 'notice', code, path, line, message);
      }),
  );
  return [...ofReasons, ...ofFindings].slice(0, MAX_ANNOTATIONS);
}

function command(name: string, title: string, file: string, line: number, text: string): string {
  const properties = [
    file === '' ? '' : `file=${escapeCommandProperty(file)}`,
    line === 0 ? '' : `line=${line}`,
    `title=${escapeCommandProperty(title)}`,
  ];
  return `::${name} ${properties.filter((p) => p !== '').join(',')}::${escapeCommandData(text)}`;
}

const MAX_LENGTH = 500;

/**
 * `text` as literal text in a line of Markdown: all but a few harmless characters are numeric entities, which
 * Markdown never interprets as structure. An invisible character prevents that `@` and `#` become mentions.
 */
export function escapeMarkdown(text: string, max: number = MAX_LENGTH): string {
  return entities(quote(text, max)).replaceAll(/&#(?:64|35);/g, '$&&#8203;');
}

/** `text` as code in Markdown, where hosts do not detect mentions and links. */
export function codeMarkdown(text: string, max: number = MAX_LENGTH): string {
  return `<code>${entities(quote(text, max))}</code>`;
}

/** The message of a workflow command: one line that contains no other command. */
export function escapeCommandData(text: string): string {
  return quote(text, MAX_LENGTH)
    .replaceAll('%', '%25')
    .replaceAll('\r', '%0D')
    .replaceAll('\n', '%0A')
    .replaceAll('##[', '# #[');
}

/** The value of a property of a workflow command. */
export function escapeCommandProperty(text: string): string {
  return escapeCommandData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** A dot ends a sentence or stands in a number; elsewhere it could make an address. */
function entities(line: string): string {
  return line.replaceAll(/[^A-Za-z0-9 ,"'/()-]/gu, (character, at: number) =>
    character === '.' && isHarmlessDot(line, at) ? '.' : `&#${character.codePointAt(0)};`,
  );
}

function isHarmlessDot(line: string, at: number): boolean {
  const [before = '', after = ''] = [line[at - 1], line[at + 1]];
  return after === '' || after === ' ' || (/\d/.test(before) && /\d/.test(after));
}
