/**
 * Brings statements of Python to the form that formatters write: each on a line of its own, each suite as a block.
 *
 *     if a: b; c        if a: NEWLINE INDENT b NEWLINE c NEWLINE DEDENT
 */
import type { PythonToken } from './python-tokens.ts';

const COMPOUND = /^(?:if|elif|else|for|while|try|except|finally|with|def|class|async|match|case)$/;

/** The tokens with one statement on a line, and without `;`. */
export function splitStatements(tokens: readonly PythonToken[]): PythonToken[] {
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
