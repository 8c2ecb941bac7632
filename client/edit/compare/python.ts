/**
 * The canonical form of Python: its tokens, with the lines and blocks of its statements, without the brackets and
 * commas that mean nothing. What is left is a program that means the same.
 */
import { withoutBrackets } from './python-brackets.ts';
import { parseString, type StringPart } from './python-strings.ts';
import { tokenizePython, type PythonToken } from './python-tokens.ts';
import { lowerCase } from '../../../format/unicode.ts';

/** The canonical form; `undefined` where the text is no Python. @throws {RangeError} nested too deeply */
export function canonicalPython(text: string): readonly string[] | undefined {
  const tokens = tokenizePython(text);
  if (tokens === undefined) return undefined;
  const counted = settleComments(withoutBrackets(splitStatements(tokens)));
  const parts: string[] = [];
  for (let at = 0; at < counted.length; at += 1) {
    const token = counted[at]!;
    if (token.kind !== 'string') {
      parts.push(canonicalToken(token, text));
      continue;
    }
    let end = at + 1;
    while (counted[end]?.kind === 'string') end += 1;
    const run = counted.slice(at, end);
    // A string that is a statement documents what it is in.
    const isAlone = isBoundary(before(counted, at)) && isBoundary(counted[end]);
    parts.push(...canonicalStrings(run, isAlone && run.length === 1));
    at = end - 1;
  }
  return parts;
}

const OPERATOR = /^(?:and|or|not|in|is|[-+*/%@&|^]|\*\*|\/\/|<<|>>|[=!<>]=|[<>])$/;

/** Hostile text has any number of operators in a row. */
const MAX_PASSED = 200;

/** Puts comments before the operator and before the ends of blocks that they follow: formatters move them so. */
function settleComments(tokens: readonly PythonToken[]): PythonToken[] {
  const settled: PythonToken[] = [];
  for (const token of tokens) {
    let at = settled.length;
    if (token.kind === 'comment') {
      while (settled.length - at < MAX_PASSED && at > 0 && isPassed(settled[at - 1]!)) at -= 1;
    }
    settled.splice(at, 0, token);
  }
  return settled;
}

function isPassed({ kind, raw }: PythonToken): boolean {
  return kind === 'dedent' || ((kind === 'operator' || kind === 'word') && OPERATOR.test(raw));
}

function canonicalToken({ kind, raw, start }: PythonToken, text: string): string {
  if (kind === 'number') return canonicalNumber(raw);
  if (kind === 'word' || kind === 'operator') return raw;
  return kind === 'comment' ? canonicalComment(spaced(raw), text, start) : `<${kind}>`;
}

/** `#a` as `# a`; `#!` and `#:` have a meaning. */
function spaced(comment: string): string {
  return /^#+[\s!:']/.test(comment)
    ? comment.replace(/^(#+)\s+/, '$1 ')
    : comment.replace(/^#+/, '$& ');
}

function canonicalNumber(raw: string): string {
  const text = lowerCase(raw);
  if (text.startsWith('0x')) return text;
  return text
    .replace('e+', 'e')
    .replace(/^\./, '0.')
    .replace(/\.(?=$|[ej])/, '.0');
}

function before(tokens: readonly PythonToken[], at: number): PythonToken | undefined {
  let from = at - 1;
  while (tokens[from]?.kind === 'comment') from -= 1;
  return tokens[from];
}

function isBoundary(token: PythonToken | undefined): boolean {
  return token === undefined || ['newline', 'indent', 'dedent', 'comment'].includes(token.kind);
}

/** Strings beside each other, as one where they are of the same kind: formatters join them. */
function canonicalStrings(run: readonly PythonToken[], isDocumentation: boolean): string[] {
  const joined: { flags: string; isFormatted: boolean; parts: StringPart[] }[] = [];
  for (const { raw } of run) {
    const { flags, parts } = parseString(raw);
    const kind = flags.replace('f', '');
    const last = joined.at(-1);
    const isFormatted = flags.includes('f');
    if (last?.flags !== kind) {
      joined.push({ flags: kind, isFormatted, parts: [...parts] });
      continue;
    }
    last.parts.push(...parts);
    last.isFormatted ||= isFormatted;
  }
  return joined.flatMap(({ flags, isFormatted, parts }) => {
    const texts: string[] = [`string ${flags}${isFormatted ? 'f' : ''}`];
    let text = '';
    for (const part of parts) {
      if (typeof part === 'string') text += part;
      else {
        texts.push(JSON.stringify(text), ...canonicalField(part));
        text = '';
      }
    }
    return [...texts, JSON.stringify(isDocumentation ? cleanDocumentation(text) : text)];
  });
}

function canonicalField({ expression, conversion, format }: Exclude<StringPart, string>): string[] {
  // `{a = }` prints its own text.
  const isPrinted = /(?:^|[^=!<>])=\s*$/.test(expression);
  const inner = isPrinted ? undefined : canonicalPython(`(${expression})\n`);
  return ['{', ...(inner ?? [`text ${expression}`]), conversion, format, '}'];
}

/** As `inspect.cleandoc` does: formatters indent documentation, and trim its lines. */
function cleanDocumentation(text: string): string {
  const lines = text.split('\n').map((line) => line.replaceAll('\t', '        ').trimEnd());
  const [first = '', ...rest] = lines;
  const indents = rest.filter((line) => line !== '').map((line) => line.search(/\S/));
  const margin = indents.length === 0 ? 0 : indents.reduce((a, b) => Math.min(a, b));
  return [first.trimStart(), ...rest.map((line) => line.slice(margin))].join('\n').trim();
}

/**
 * Brings statements of Python to the form that formatters write: each on a line of its own, each suite as a block.
 *
 *     if a: b; c        if a: NEWLINE INDENT b NEWLINE c NEWLINE DEDENT
 */
const COMPOUND = /^(?:if|elif|else|for|while|try|except|finally|with|def|class|async|match|case)$/;

/** The tokens with one statement on a line, and without `;`. */
function splitStatements(tokens: readonly PythonToken[]): PythonToken[] {
  const lines: PythonToken[] = [];
  let line: PythonToken[] = [];
  for (const token of tokens) {
    if (token.kind === 'indent' || token.kind === 'dedent') {
      lines.push(...line, token);
      line = [];
      continue;
    }
    line.push(token);
    if (token.kind !== 'newline') continue;
    lines.push(...splitLine(line));
    line = [];
  }
  return [...lines, ...line];
}

/** @param line the tokens of a logical line, with the comments above it and its newline */
function splitLine(line: readonly PythonToken[]): PythonToken[] {
  const first = line.findIndex(({ kind }) => kind !== 'comment');
  const start = line[first]!;
  const second = line[first + 1]?.raw;
  // `match: int` and `case = 1` are names.
  const isCompound =
    start.kind === 'word' && COMPOUND.test(start.raw) && !isNameOfSoftKeyword(start.raw, second);
  const parts: PythonToken[] = [];
  const mark = (kind: PythonToken['kind']): void => {
    parts.push({ kind, raw: '', start: parts.at(-1)?.start ?? 0 });
  };
  let [depth, lambdas, isSuite] = [0, 0, false];
  let isHead = isCompound;
  for (const [at, token] of line.entries()) {
    const { raw, kind } = token;
    if (kind === 'newline') {
      mark('newline');
      if (isSuite) mark('dedent');
      continue;
    }
    const isOperator = kind === 'operator';
    if (isOperator && /^[([{]$/.test(raw)) depth += 1;
    if (isOperator && /^[)\]}]$/.test(raw)) depth -= 1;
    if (isOperator && raw === ';') {
      // A `;` at the end of a line ends no other statement.
      if (hasCode(line, at + 1)) mark('newline');
      continue;
    }
    parts.push(token);
    if (!isHead || depth > 0) continue;
    if (kind === 'word' && raw === 'lambda') lambdas += 1;
    if (!isOperator || raw !== ':') continue;
    if (lambdas > 0) {
      lambdas -= 1;
      continue;
    }
    isHead = false;
    isSuite = hasCode(line, at + 1);
    if (isSuite) {
      mark('newline');
      mark('indent');
    }
  }
  return parts;
}

function isNameOfSoftKeyword(word: string, next: string | undefined): boolean {
  return /^(?:match|case)$/.test(word) && (next === undefined || /^(?:[:.]|[^=]?=)$/.test(next));
}

function hasCode(line: readonly PythonToken[], from: number): boolean {
  return line.slice(from).some(({ kind }) => kind !== 'comment' && kind !== 'newline');
}

/** Comments for tools, which apply to a line: whether one follows code on its line has a meaning. */
const FOR_TOOLS =
  /@ts-|@type\b|\btype:|\bfmt:|\b(?:eslint|ignore|disable|enable|noqa|nosec|pragma)\b/;

/**
 * @param raw the comment with its marks
 * @param text that has the comment at the offset `start`
 */
export function canonicalComment(raw: string, text: string, start: number): string {
  const lines = raw.split('\n').map((line) => line.trimEnd());
  // Formatters move the lines of a comment only where each begins with a star.
  const isStarred = lines.slice(1).every((line) => line.trimStart().startsWith('*'));
  const body = isStarred ? lines.map((line) => line.trimStart()) : lines;
  if (!FOR_TOOLS.test(raw)) return `comment ${body.join('\n')}`;
  const line = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  return `${line.trim() === '' ? 'above' : 'behind'} ${body.join('\n')}`;
}
