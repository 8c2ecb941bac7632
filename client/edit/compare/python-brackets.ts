/**
 * Which parentheses and trailing commas of Python mean nothing. Parentheses go where what is before and after them
 * delimits their content in any case, or where they hold one operand; all others stay, so that no rule of
 * precedence matters.
 */
import type { PythonToken } from './python-tokens.ts';

/** Words that no value ends with: what follows them is an operand, or a group. */
const KEYWORDS = new Set(
  (
    'and as assert async await del elif else except for from if import in is lambda not or raise return while with ' +
    'yield global nonlocal class def try finally pass break continue'
  ).split(' '),
);
const ASSIGNMENT = /^(?:=|(?:[-+*@/%&|^]|<<|>>|\*\*|\/\/)=)$/;

/** The tokens of `tokens` that count. */
export function withoutBrackets(tokens: readonly PythonToken[]): PythonToken[] {
  const code = tokens.filter(({ kind }) => kind !== 'comment');
  const dropped = new Brackets(code).dropped();
  return tokens.filter((token) => !dropped.has(token));
}

class Brackets {
  readonly #code: readonly PythonToken[];
  readonly #closing = new Map<number, number>();
  readonly #dropped = new Set<PythonToken>();
  /** First token of the line that each token is in. */
  readonly #lineStart: number[] = [];
  readonly #depth: number[] = [];

  constructor(code: readonly PythonToken[]) {
    this.#code = code;
    const open: number[] = [];
    let start = 0;
    for (const [at, { kind }] of code.entries()) {
      if (isOperator(code[at], /^[)\]}]$/)) this.#closing.set(open.pop() ?? -1, at);
      this.#lineStart.push(start);
      this.#depth.push(open.length);
      if (isOperator(code[at], /^[([{]$/)) open.push(at);
      if (kind === 'newline' || kind === 'indent' || kind === 'dedent') start = at + 1;
    }
  }

  dropped(): ReadonlySet<PythonToken> {
    // The inner ones first: what is in parentheses may be one operand without those in it.
    const pairs = [...this.#closing].filter(([open]) => open >= 0);
    pairs.sort(([a], [b]) => b - a);
    for (const [open, close] of pairs) this.#judge(open, close);
    this.#dropLastCommas();
    return this.#dropped;
  }

  /** The comma at the end of `a = b, c,`. */
  #dropLastCommas(): void {
    let commas = 0;
    for (const [at, token] of this.#code.entries()) {
      const isComma = isOperator(token, /^,$/) && this.#depth[at] === 0;
      const isStart =
        /^(?:newline|indent|dedent)$/.test(token.kind) || isOperator(token, ASSIGNMENT);
      if (isStart && this.#depth[at] === 0) commas = 0;
      if (!isComma) continue;
      commas += 1;
      const after = this.#code[at + 1];
      const ends = after?.kind === 'newline' || isOperator(after, /^=$/);
      if (ends && commas > 1) this.#dropped.add(token);
    }
  }

  #judge(open: number, close: number): void {
    const commas = this.#commasIn(open, close);
    const bracket = this.#code[open]!.raw;
    const isAfterOperand = this.#isOperand(open);
    const isGroup = bracket === '(' && !isAfterOperand;
    const before = this.#code[open - 1]?.raw;
    const isList = bracket === '(' ? before === 'import' || this.#isWith(open, close) : false;
    const isIndex = bracket === '[' && isAfterOperand && !this.#isTypeParameters(open);
    // One comma makes a tuple; more, and those of calls and lists, only separate.
    const isTuple = (isGroup && !isList) || isIndex;
    const last = commas.at(-1);
    if (last !== undefined && last === close - 1 && !(isTuple && commas.length === 1)) {
      this.#dropped.add(this.#code[last]!);
    }
    if (bracket === '(' && isAfterOperand) {
      // `class A():`
      const isClass = this.#code[open - 2]?.raw === 'class' && open + 1 === close;
      if (isClass && this.#code[close + 1]?.raw === ':') this.#drop(open, close);
      return;
    }
    if (!isGroup || open + 1 === close) return;
    const isRedundant =
      isList ||
      (commas.length > 0
        ? this.#isRedundantAroundTuple(open, close)
        : this.#isRedundantAroundValue(open, close));
    if (isRedundant) this.#drop(open, close);
  }

  #drop(open: number, close: number): void {
    this.#dropped.add(this.#code[open]!);
    this.#dropped.add(this.#code[close]!);
  }

  /** Whether a value ends before the bracket, so that it calls or indexes that value. */
  #isOperand(open: number): boolean {
    const token = this.#code[open - 1];
    if (token === undefined) return false;
    if (token.kind === 'number' || token.kind === 'string') return true;
    if (token.kind === 'operator') return /^(?:[)\]}]|\.\.\.)$/.test(token.raw);
    if (token.kind !== 'word' || KEYWORDS.has(token.raw)) return false;
    // `match (x):` and `case (x):` are statements.
    const isFirst = this.#lineStart[open] === open - 1;
    const after = this.#code[(this.#closing.get(open) ?? open) + 1]?.raw;
    return !(isFirst && /^(?:match|case)$/.test(token.raw) && after === ':');
  }

  #isWith(open: number, close: number): boolean {
    return this.#code[open - 1]?.raw === 'with' && this.#code[close + 1]?.raw === ':';
  }

  #isTypeParameters(open: number): boolean {
    return /^(?:def|class|type)$/.test(this.#code[open - 2]?.raw ?? '');
  }

  #isRedundantAroundTuple(open: number, close: number): boolean {
    const before = this.#code[open - 1];
    const after = this.#code[close + 1];
    if (this.#depth[open] !== 0) return false;
    const ends = after === undefined || after.kind === 'newline';
    // `(a, b) = c`
    if (this.#lineStart[open] === open) return after?.raw === '=';
    if (before === undefined) return false;
    const { raw } = before;
    if (raw === 'for') return after?.raw === 'in';
    if (raw === 'in') return after?.raw === ':' && this.#isFor(open);
    if (raw === 'except') return after?.raw === ':';
    if (raw === 'del' || raw === 'return' || raw === 'yield') return ends;
    return before.kind === 'operator' && ASSIGNMENT.test(raw) && (ends || after.raw === '=');
  }

  #isRedundantAroundValue(open: number, close: number): boolean {
    const { words, isOperand, isPower } = this.#content(open, close);
    const before = this.#code[open - 1];
    const after = this.#code[close + 1];
    // A generator and a yield need their parentheses, an assignment except as a condition.
    if (/(?:^| )(?:for|yield)(?: |$)/.test(words)) return false;
    const isCondition =
      /^(?:if|elif|while)$/.test(before?.raw ?? '') && this.#isHeader(open) && after?.raw === ':';
    if (/(?:^| ):=(?: |$)/.test(words) && !isCondition) return false;
    const isFirst = this.#lineStart[open] === open;
    // `(a): int = 1` declares no type of `a`.
    if (isFirst && after?.raw === ':') return false;
    if (isOperand) return true;
    if (isPower && this.#isSign(open - 1) && !/^(?:\*\*|[([.])$/.test(after?.raw ?? ''))
      return true;
    return this.#opens(before, open, isFirst) && this.#closes(after, before);
  }

  /** Whether a value of any form may begin after `before`. */
  #opens(before: PythonToken | undefined, open: number, isFirst: boolean): boolean {
    if (before === undefined || isFirst) return true;
    if (before.kind === 'operator') {
      return /^(?:[([{,:]|->)$/.test(before.raw) || ASSIGNMENT.test(before.raw);
    }
    if (/^(?:return|assert|del|raise|with)$/.test(before.raw)) return true;
    if (this.#depth[open] !== 0) return false;
    // `if a in (b or c):` needs its parentheses, as `in` joins more closely.
    if (before.raw === 'in' || before.raw === 'for') return this.#isFor(open);
    return /^(?:if|elif|while|match|case|except|from)$/.test(before.raw) && this.#isHeader(open);
  }

  /** Whether a value of any form ends before `after`. */
  #closes(after: PythonToken | undefined, before: PythonToken | undefined): boolean {
    if (after === undefined || after.kind === 'newline') return true;
    if (after.kind === 'operator') return /^(?:[)\]},:]|=)$/.test(after.raw);
    if (after.raw === 'in') return before?.raw === 'for';
    // `[(a if b else c) for ...]`
    if (after.raw === 'for') return isOperator(before, /^[([{:]$/);
    if (after.raw === 'as') return before?.raw === 'with' || before?.raw === ',';
    return after.raw === 'from' && before?.raw === 'raise';
  }

  /** Whether the token at `at` is in a statement that begins with the word of a header, or `raise`. */
  #isHeader(at: number): boolean {
    const first = this.#code[this.#lineStart[at] ?? 0]?.raw ?? '';
    return /^(?:if|elif|while|match|case|except|raise)$/.test(first);
  }

  #isFor(at: number): boolean {
    const start = this.#lineStart[at] ?? 0;
    const [first, second] = [this.#code[start]?.raw, this.#code[start + 1]?.raw];
    return first === 'for' || (first === 'async' && second === 'for');
  }

  /** What is directly in the parentheses: the words and operators there, and whether it is one operand. */
  #content(open: number, close: number): { words: string; isOperand: boolean; isPower: boolean } {
    const words: string[] = [];
    let isOperand = true;
    let isAfterValue = false;
    for (let at = open + 1; at < close; at += 1) {
      const token = this.#code[at]!;
      if (this.#dropped.has(token)) {
        if (token.raw === ')') isAfterValue = true;
        continue;
      }
      const end = this.#closing.get(at);
      if (end !== undefined) {
        words.push('.');
        at = end;
        isAfterValue = true;
        continue;
      }
      words.push(token.kind === 'string' || token.kind === 'number' ? '.' : token.raw);
      const isValue = token.kind !== 'operator' && !KEYWORDS.has(token.raw);
      if (token.raw === '.' && token.kind === 'operator') {
        isAfterValue = false;
        continue;
      }
      // Strings beside each other are one.
      const isJoined = token.kind === 'string' && this.#code[at - 1]?.kind === 'string';
      if (!isValue || (isAfterValue && !isJoined)) isOperand = false;
      // `(1).real`
      if (token.kind === 'number' && this.#code[close + 1]?.raw === '.') isOperand = false;
      isAfterValue = true;
    }
    return { words: words.join(' '), isOperand, isPower: isPowerOfOperands(words) };
  }

  /** Whether the token at `at` is a sign before a value, which binds less closely than `**`. */
  #isSign(at: number): boolean {
    return isOperator(this.#code[at], /^[-+~]$/) && !this.#isOperand(at);
  }

  #commasIn(open: number, close: number): number[] {
    const commas: number[] = [];
    for (let at = open + 1; at < close; at += 1) {
      const end = this.#closing.get(at);
      if (end !== undefined) at = end;
      else if (isOperator(this.#code[at], /^,$/)) commas.push(at);
    }
    return commas;
  }
}

/** `a ** b`, of operands without signs; `words` are those that are not in brackets. */
function isPowerOfOperands(words: readonly string[]): boolean {
  const signs = words.filter((word) => KEYWORDS.has(word) || /^(?:[^\w.\s]+|\.\.\.)$/u.test(word));
  return signs.length === 1 && signs[0] === '**' && words[0] !== '**';
}

function isOperator(token: PythonToken | undefined, pattern: RegExp): boolean {
  return token?.kind === 'operator' && pattern.test(token.raw);
}
