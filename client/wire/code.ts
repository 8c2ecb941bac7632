/** What wiring needs to know about a file of code, the same for all languages. Types only. */
import type { WireAnchor } from '../../format/wiring/wire-info.ts';

/** Offsets in UTF-16 units. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** A list: what is between its brackets. */
export interface ListRange extends Range {
  readonly elements: readonly Range[];
}

/** A file of code without syntax errors. */
export interface Code {
  readonly path: string;
  readonly text: string;
  /** The statements of every block, in their order. */
  readonly blocks: readonly (readonly Range[])[];
  /** The imports at the top level. */
  readonly imports: readonly Range[];
  /** Where imports go in a file without any: after comments and directives at its beginning. */
  readonly top: number;
  /** Names that the top level declares or imports. */
  readonly names: ReadonlySet<string>;
  /** Every text in quotes except the names of modules. */
  readonly strings: readonly string[];
  /** The lists that an anchor names. */
  readonly lists: (anchor: WireAnchor) => readonly ListRange[];
}

/** The block that makes the application, and where its routes are mounted. */
export interface Application {
  readonly path: string;
  /** The name of the application in the block. */
  readonly name: string;
  /** The statement after which a route is mounted; `undefined` without one. */
  readonly after: Range | undefined;
  /** The statement that makes the application, where routes may also follow it directly. */
  readonly madeAt?: Range;
  /** Why nothing can be mounted here. */
  readonly problem?: string;
  /** Names of the modules whose routers are mounted at the root. */
  readonly roots: readonly string[];
  /** Whether some routes have a path that another file decides. */
  readonly isOpen: boolean;
}

/** The applications of one file: those that it declares, and those that functions take. */
export interface FileApplications {
  readonly declared: readonly Application[];
  readonly taken: readonly Application[];
  /** Why an application of the file cannot be used. */
  readonly problem?: string;
}

/** Text that goes in front of the offset `at`. */
export interface Splice {
  readonly at: number;
  readonly text: string;
}

/** Why there is no splice, as a clause. */
type NoSplice = string;

export function applySplice(text: string, { at, text: added }: Splice): string {
  return text.slice(0, at) + added + text.slice(at);
}

/** White space in front of what begins at `at`, if nothing else is in front of it on its line. */
export function indentAt(text: string, at: number): string | undefined {
  const lead = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  return lead.trim() === '' ? lead : undefined;
}

/** `lines` of a block as new lines after the statement `after`. */
export function afterStatement(
  text: string,
  after: Range,
  lines: readonly string[],
  { lineEnd }: CodeStyle,
): Splice | NoSplice {
  const newline = text.indexOf('\n', after.end);
  const end = newline < 0 ? text.length : newline - (text[newline - 1] === '\r' ? 1 : 0);
  const rest = text.slice(after.end, end);
  // The last statement of a chain may be followed by a comment, but by no other statement.
  const isLast = /^[ \t]*;?[ \t]*(?:\/\/.*|\/\*(?:(?!\*\/).)*\*\/[ \t]*|#.*)?$/.test(rest);
  const indent = indentAt(text, after.start);
  if (!isLast || indent === undefined) return 'the place is in the middle of a line';
  const block = lines.map((line) => lineEnd + (line === '' ? '' : indent + line));
  return { at: end, text: block.join('') };
}

/** `lines` at the top of a file. */
export function atTop(at: number, lines: readonly string[], { lineEnd }: CodeStyle): Splice {
  return { at, text: lines.map((line) => line + lineEnd).join('') };
}

/** `lines` as a new last element of a list. */
export function asLastElement(
  text: string,
  list: ListRange,
  lines: readonly string[],
  { lineEnd, indent: unit = '  ' }: CodeStyle,
): Splice | NoSplice {
  const last = list.elements.at(-1);
  const tail = text.slice(last?.end ?? list.start, list.end);
  if (!/^[\s,]*$/.test(tail)) return 'the list has a comment at its end';
  if (last === undefined) {
    if (!tail.includes('\n')) return { at: list.start, text: lines.join(lineEnd) };
    const open = text.slice(text.lastIndexOf('\n', list.start - 1) + 1, list.start);
    const indent = /^[ \t]*/.exec(open)![0] + unit;
    return { at: list.start, text: `${lines.map((line) => lineEnd + indent + line).join('')},` };
  }
  const indent = indentAt(text, last.start);
  if (!tail.includes('\n') || indent === undefined) {
    return { at: last.end, text: `, ${lines.join(lineEnd + lineIndent(text, last.start))}` };
  }
  const block = lines.map((line) => lineEnd + indent + line).join('');
  const comma = tail.indexOf(',');
  if (comma < 0) return { at: last.end, text: `,${block}` };
  return { at: last.end + comma + 1, text: `${block},` };
}

/** The white space at the beginning of the line of `at`. */
function lineIndent(text: string, at: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1))![0];
}

/** How the code of a project is written, as far as an inserted block has to follow it. Pure. */
export interface CodeStyle {
  readonly lineEnd: '\n' | '\r\n';
  /** One level of indentation; `undefined` where no line shows it. */
  readonly indent: string | undefined;
  /** `undefined` where no text shows it. */
  readonly quote: "'" | '"' | undefined;
  /** False where statements end without one; of JavaScript only. */
  readonly hasSemicolons: boolean | undefined;
  /** How imports name files of the project: `.js`, `.ts`, or nothing. */
  readonly ending: '.js' | '.ts' | '' | undefined;
}

const MODULE_NAME = /(?:\bfrom|\bimport|\brequire\s*\(|\bimport\s*\()\s*(['"])([^'"\n]{1,300})\1/g;
/** Lines that end a statement: an import, a call, an assignment of one line. */
const STATEMENT =
  /^[ \t]*(?:import\b.*['"]|(?:const|let|var)\b.*[\w)'"\]]|[\w.]+\(.*\))(;?)[ \t]*\r?$/gm;

export function readStyle(text: string): CodeStyle {
  const names = [...text.matchAll(MODULE_NAME)];
  const relative = names.flatMap(([, , name = '']) =>
    /^[.@~#]/.test(name) && name.includes('/') ? [name] : [],
  );
  const local = relative.filter((name) => name.startsWith('.') && /[\w$]$/.test(name));
  const statements = [...text.matchAll(STATEMENT)].map(([, end]) => end === ';');
  const quotes =
    names.length > 0 ? names.map(([, quote]) => quote!) : (text.match(/["'](?=[\w./-])/g) ?? []);
  return {
    lineEnd: isMost(text.match(/\r?\n/g) ?? [], '\r\n') ? '\r\n' : '\n',
    indent: indentOf(text),
    quote: quotes.length === 0 ? undefined : isMost(quotes, '"') ? '"' : "'",
    hasSemicolons: statements.length === 0 ? undefined : isMost(statements, true),
    ending: endingOf(local),
  };
}

/** `first`, completed by `others` where it shows nothing. */
export function completeStyle(first: CodeStyle, others: readonly CodeStyle[]): CodeStyle {
  const pick = <Key extends keyof CodeStyle>(key: Key): CodeStyle[Key] =>
    [first, ...others]
      .map((style) => style[key])
      .find((value) => value !== undefined) as CodeStyle[Key];
  return {
    lineEnd: first.lineEnd,
    indent: pick('indent'),
    quote: pick('quote'),
    hasSemicolons: pick('hasSemicolons'),
    ending: pick('ending'),
  };
}

/** Whether `value` is more than half of `values`. */
function isMost<Value>(values: readonly Value[], value: Value): boolean {
  return values.filter((one) => one === value).length * 2 > values.length;
}

function endingOf(names: readonly string[]): CodeStyle['ending'] {
  if (names.length === 0) return undefined;
  const endings = names.map((name) => /\.[cm]?[jt]sx?$/.exec(name)?.[0] ?? '');
  if (
    isMost(
      endings.map((ending) => ending.endsWith('s') && ending.includes('j')),
      true,
    )
  )
    return '.js';
  if (
    isMost(
      endings.map((ending) => ending.includes('t')),
      true,
    )
  )
    return '.ts';
  return isMost(endings, '') ? '' : undefined;
}

/** A tab, or the most frequent step between the spaces of one line and the next. */
function indentOf(text: string): string | undefined {
  const lines = text.split('\n').filter((line) => /\S/.test(line) && !/^\s*\*/.test(line));
  const tabs = lines.filter((line) => line.startsWith('\t')).length;
  const spaces = lines.filter((line) => line.startsWith('  ')).length;
  if (tabs > spaces) return '\t';
  const steps = new Map<number, number>();
  let before = 0;
  for (const line of lines) {
    const width = /^ */.exec(line)![0].length;
    const step = width - before;
    if (step > 1 && step <= 8) steps.set(step, (steps.get(step) ?? 0) + 1);
    before = width;
  }
  const [most] = [...steps].sort(([a, n], [b, m]) => m - n || a - b);
  return most === undefined ? undefined : ' '.repeat(most[0]);
}
