/**
 * Hidden and deceptive Unicode: code that looks different from what runs, and text that only machines read. Text in
 * other scripts, emoji and right-to-left languages are not reported.
 */
import { isAscii } from 'node:buffer';
import type { Finding, FindingPlace } from '../../../format/finding/finding.ts';
import type { FindingLevel } from '../../../format/finding/texts/finding-text.ts';
import { isAgentFile } from '../../../format/build/consent.ts';
import { findingIn, ruleOfFiles } from '../../rule.ts';
import type { ScannedBuild, ScannedFile } from '../../scanned-file.ts';
import { fileKind, isTestPath } from '../../text/file-kind.ts';
import { isIdleFile } from '../../text/idle-file.ts';
import { findLookAlikes } from '../../text/look-alikes.ts';
import { LineTable } from '../../parse/line-table.ts';
import { languageOf, type Syntax } from '../../parse/syntax.ts';
import { findHidden } from '../../text/hidden-characters.ts';
import { quoteLine } from '../../text/quote.ts';

type HiddenRun = ReturnType<typeof findHidden>[number];

type HiddenKind = HiddenRun['kind'];

const CYRILLIC = /\p{Script=Cyrillic}/u;
const GREEK = /\p{Script=Greek}/u;

type Levels = Readonly<Record<ReturnType<typeof fileKind>, FindingLevel>>;

/** Hidden text in prose misleads a reader; hidden text in code runs. */
const LEVELS: Readonly<Record<HiddenKind, Levels>> = {
  bidi: { code: 'error', data: 'warn', prose: 'warn' },
  tag: { code: 'error', data: 'error', prose: 'error' },
  encoded: { code: 'error', data: 'warn', prose: 'error' },
  filler: { code: 'warn', data: 'info', prose: 'info' },
  invisible: { code: 'info', data: 'info', prose: 'info' },
};

export const hiddenText = ruleOfFiles('hidden-text', (file, build) => {
  const { text, bytes } = file;
  // Most code files have nothing but ASCII, which has as many bytes as characters.
  if (text === undefined || (text.length === bytes.length && isAscii(bytes))) return [];
  return [
    ...hiddenRuns(build, file, text),
    ...shownOnly(build, file, text),
    ...lookAlikes(file, text),
  ];
});

/** In what editors and web pages show of Python, whose `coding:` line they do not follow. */
function shownOnly(build: ScannedBuild, { path, bytes }: ScannedFile, text: string): Finding[] {
  if (languageOf(path, text) !== 'python') return [];
  const shown = new TextDecoder('utf-8').decode(bytes);
  if (shown === text) return [];
  const lines = new LineTable(shown);
  const place = (offset: number, length: number): FindingPlace => lines.place(offset, length);
  return hiddenRuns(build, { path, place }, shown);
}

function hiddenRuns(
  build: ScannedBuild,
  file: Pick<ScannedFile, 'path' | 'place'>,
  text: string,
): Finding[] {
  const kind = fileKind(file.path);
  const runs = findHidden(text);
  const kinds = [...new Set(runs.map((run) => run.kind))];
  return kinds.map((hidden) => {
    const of = runs.filter((run) => run.kind === hidden);
    const notable = of.find((run) => isNotable(text, run, file.path)) ?? of[0]!;
    const isTable =
      hidden === 'bidi' || hidden === 'filler' ? of.every((r) => isInTable(text, r)) : false;
    const isData = isTestData(build, file.path, hidden);
    const usual = isTable || isData ? 'info' : LEVELS[hidden][kind];
    const isRaised = usual === 'info' && !isData && isNotable(text, notable, file.path);
    const level = isRaised ? 'warn' : usual;
    const args = {
      count: of.reduce((sum, run) => sum + run.count, 0),
      point: pointOf(text, notable.start),
      line: quoteLine(text, notable.start),
    };
    const { start, end } = notable;
    return findingIn(file, `hidden-text-${hidden}`, args, start, end - start, level);
  });
}

/** Tests of Unicode need such characters; instructions for agents are hidden with the other kinds. */
function isTestData(build: ScannedBuild, path: string, kind: HiddenKind): boolean {
  return (
    kind !== 'tag' &&
    kind !== 'encoded' &&
    isTestPath(path) &&
    !isAgentFile(path) &&
    isIdleFile(build, path)
  );
}

/** A line that is too long to read: tables of characters, and generated code. */
function isInTable(text: string, { start, end }: HiddenRun): boolean {
  const around = text.slice(Math.max(0, start - TABLE_LINE), end + TABLE_LINE);
  const before = around.lastIndexOf('\n', Math.min(start, TABLE_LINE) - 1);
  const after = around.indexOf('\n', Math.min(start, TABLE_LINE));
  return (after === -1 ? around.length : after) - (before + 1) >= TABLE_LINE;
}

const TABLE_LINE = 2_000;

/** An invisible character changes the meaning of a name, a key or instructions for agents. */
function isNotable(text: string, { kind, start, end }: HiddenRun, path: string): boolean {
  if (kind !== 'invisible') return false;
  // A soft hyphen or a mark within a word of prose is typography.
  if (/[\u00AD\u200E\u200F\u2060]/.test(text.slice(start, end)) && fileKind(path) === 'prose')
    return false;
  // A soft hyphen cannot be part of a name: it occurs in comments and texts.
  if (text.slice(start, end) === '\u00AD' && !isAgentFile(path)) return false;
  const isInWord =
    /[A-Za-z0-9_$]/.test(text[start - 1] ?? '') && /[A-Za-z0-9_$]/.test(text[end] ?? '');
  if (path.endsWith('.json')) return isInKey(text, end);
  return isInWord && (fileKind(path) === 'code' || isAgentFile(path));
}

/** Whether the JSON string around offset `at` is a key: a colon follows its closing quote. */
function isInKey(text: string, at: number): boolean {
  const rest = text.slice(at, at + 300);
  const close = rest.indexOf('"');
  return (
    close !== -1 && !rest.slice(0, close).includes('\n') && /^"[ \t]{0,20}:/.test(rest.slice(close))
  );
}

function lookAlikes(file: ScannedFile, text: string): Finding[] {
  if (fileKind(file.path) === 'prose') return [];
  const words = findLookAlikes(text);
  if (words.length === 0) return [];
  const names = foreignNames(file.syntax, text);
  const found = words.filter(({ word }) => names === undefined || names.has(word));
  const [first] = found;
  if (first === undefined) return [];
  const args = {
    count: found.length,
    word: first.word,
    latin: first.latin,
    script: scriptsOf(first.word),
  };
  // Without a tree the word may be in a comment, where people mix keyboard layouts.
  const level = names === undefined ? 'info' : 'warn';
  return [findingIn(file, 'hidden-text-look-alike', args, first.start, first.word.length, level)];
}

function scriptsOf(word: string): string {
  if (CYRILLIC.test(word)) return 'Cyrillic';
  return GREEK.test(word) ? 'Greek' : 'other';
}

function pointOf(text: string, start: number): string {
  return `U+${(text.codePointAt(start) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Every name with a character beyond ASCII; `undefined` when there is no tree. */
export function foreignNames(syntax: Syntax, text: string): ReadonlySet<string> | undefined {
  const names = new Set<string>();
  if (syntax.language === 'python') {
    syntax.tree.iterate({
      enter: ({ name, from, to }) => {
        if (name === 'VariableName' || name === 'PropertyName')
          addForeign(names, text.slice(from, to));
      },
    });
    return names;
  }
  if (syntax.language !== 'javascript') return undefined;
  const open: object[] = [syntax.program];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const [key, value] of Object.entries(node)) {
      if (key === 'name' && typeof value === 'string') addForeign(names, value);
      else if (typeof value === 'object' && value !== null) open.push(value);
    }
  }
  return names;
}

function addForeign(names: Set<string>, name: string): void {
  if (/[\u0080-\uFFFF]/.test(name)) names.add(name);
}
