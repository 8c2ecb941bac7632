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
