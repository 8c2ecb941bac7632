/**
 * How deeply a text is nested, without parsing it. The native JavaScript parser recurses on the native stack,
 * and a stack overflow there ends the process, so it only parses text that was found to be shallow. Text that
 * was found to be deep is not parsed at all, so that the result depends on neither parser nor stack.
 *
 *     a = [b ? [c] : d]     depth 4: "=", "[", "?", "["
 *
 * Brackets and operators that make a parser recurse count; the end of a statement or item resets
 * its operators. Strings, comments and regular expressions are skipped. A "/" divides or begins a regular
 * expression; it is read only in one way where the text before it allows no other, because what is skipped
 * wrongly is not counted. Where a text could be read in two ways (after "}" or a line end, JSX, HTML comments),
 * and these differ, its depth is unknown.
 */
import * as literal from './literal-ends.ts';

export type Depth = 'shallow' | 'deep' | 'open';

/** Both parsers need at most a third of a worker thread's stack for this depth. */
export const SAFE_DEPTH = 300;
const [NEWLINE, CR] = [10, 13];
const [DOUBLE, HASH, DOLLAR, SINGLE, STAR, DOT, SLASH, BACKSLASH, BACKTICK] = [
  34, 35, 36, 39, 42, 46, 47, 92, 96,
];
const [OPEN_PAREN, CLOSE_PAREN, OPEN_SQUARE, CLOSE_SQUARE, OPEN_CURLY, CLOSE_CURLY] = [
  40, 41, 91, 93, 123, 125,
];
const [COMMA, SEMICOLON, AT, BANG, PLUS, DASH, LESS, EQUALS, GREATER, QUESTION] = [
  44, 59, 64, 33, 43, 45, 60, 61, 62, 63,
];

/**
 * How deep JavaScript or TypeScript without JSX is nested, as far as that can be determined. The native parser reads
 * types in JavaScript, too, before it reports them.
 */
export function depthOf(text: string): Depth {
  return new Scanner(text).scan();
}

const CASE = /^case {0,2}["'\d]/;

class Scanner {
  readonly #text: string;
  /** What is not ASCII is a part of words, or ends a line. */
  readonly #codes: Uint8Array;
  #at = 0;
  readonly #count = new NestingCount();
  /** Brackets that a template literal opened with `${`. */
  readonly #templates: number[] = [];
  /** For each open bracket, whether it is the head of `if`, `for`, `while` or `with`. */
  readonly #heads: boolean[] = [];
  #isHead = false;
  /** After the dot of a property or the `#` of a private name: the next word is a name. */
  #isNameNext = false;
  /** Whether a line ended since the last token, and a statement perhaps with it. */
  #isNewLine = false;
  /** The last token ends an operand, whatever follows it: a name on the next line begins a statement. */
  #isOperandEnd = false;
  /** A type may end with a `?`. */
  #hasCasts = false;
  /** Where the last number ended: a dot there is not part of a spread. */
  #numberEnd = -1;
  /** Whether a `/` here begins a regular expression; `undefined` when that is unknown. */
  #regexNext: boolean | undefined = true;
  /** Of a `/` that may end a regular expression or divide: what a `/` after it means is unknown. */
  #openEnd = -1;

  constructor(text: string) {
    this.#text = text;
    this.#codes = literal.characterCodes(text);
  }

  scan(): Depth {
    const codes = this.#codes;
    const { length } = this.#text;
    if (this.#text.startsWith('\uFEFF')) this.#at = 1;
    if (this.#text.startsWith('#!')) this.#at = literal.lineEnd(this.#codes, 0, length);
    while (this.#at < length) {
      const c = codes[this.#at]!;
      if (literal.IS_SPACE[c] === 1) {
        this.#at += 1;
        if (c === NEWLINE || c === CR) this.#isNewLine = true;
        continue;
      }
      if (!this.#step(c)) return 'open';
      if (this.#count.total > SAFE_DEPTH * WEIGHT) return 'deep';
    }
    return 'shallow';
  }

  /** Reads one token; false when the text is ambiguous. */
  #step(c: number): boolean {
    if (c === SLASH) return this.#slash();
    const isName = this.#isNameNext;
    const isNewLine = this.#isNewLine;
    const endsStatement = isNewLine && this.#isOperandEnd;
    this.#isNameNext = false;
    this.#isNewLine = false;
    this.#isOperandEnd = false;
    if (literal.isWordStart(c)) return this.#word(isName, endsStatement);
    if (c !== OPEN_PAREN) this.#isHead = false;
    if (literal.isDigit(c) || (c === DOT && literal.isDigit(this.#codes[this.#at + 1]!)))
      return this.#number();
    if (c === DOUBLE || c === SINGLE) return this.#string();
    if (c === BACKTICK) {
      this.#count.add(WEIGHT);
      return this.#template();
    }
    if (c === OPEN_PAREN || c === OPEN_SQUARE || c === OPEN_CURLY) return this.#open();
    if (c === CLOSE_PAREN || c === CLOSE_SQUARE || c === CLOSE_CURLY) return this.#close(c);
    // HTML comments: a comment in scripts, operators in modules.
    if (c === LESS && this.#text.startsWith('<!--', this.#at)) return false;
    if (c === DASH && this.#text.startsWith('-->', this.#at)) return false;
    if (c === DOT || c === HASH || c === AT) {
      this.#isNameNext = c === HASH || (c === DOT && !this.#isSpread());
      this.#regexNext = undefined;
    } else if (c === COMMA || c === SEMICOLON) {
      this.#count.settle();
      this.#regexNext = true;
    } else if (c < 128 && literal.IS_OPERATOR[c] === 1) this.#operator(c, isNewLine);
    // A name with an escape may be a keyword; other characters belong to no token.
    else return false;
    this.#at += 1;
    return true;
  }

  #isSpread(): boolean {
    return this.#codes[this.#at - 1] === DOT && this.#numberEnd !== this.#at;
  }

  #operator(c: number, isNewLine: boolean): void {
    const isInfix = this.#regexNext === false && c < 128 && literal.IS_INFIX[c] === 1;
    this.#count.add(isInfix ? INFIX_WEIGHT : WEIGHT);
    const previous = this.#at > 0 ? this.#codes[this.#at - 1]! : 0;
    // `a++` is an operand, `++a` is none; in TypeScript `a!`, `any?` and type arguments are operands.
    const isDoubled = c === previous && (c === DASH || c === PLUS);
    const isPostfix = c === BANG && (this.#regexNext !== true || isNewLine);
    const isTypeEnd = (c === QUESTION && this.#hasCasts) || (c === GREATER && previous !== EQUALS);
    this.#regexNext = isDoubled || isPostfix || isTypeEnd ? undefined : true;
  }

  #operand(): boolean {
    this.#regexNext = false;
    this.#isOperandEnd = true;
    return true;
  }

  #number(): boolean {
    this.#at = literal.numberEnd(this.#codes, this.#at);
    this.#numberEnd = this.#at;
    this.#operand();
    // Parsers differ about a keyword without a space before it.
    return literal.nestingRole(this.#codes, this.#at, this.#wordEnd(this.#at)) === 0;
  }

  /**
   * @param isName the word is no keyword
   * @param endsStatement a statement or item ends before it, unless it is an operator
   */
  #word(isName: boolean, endsStatement: boolean): boolean {
    const start = this.#at;
    const codes = this.#codes;
    let at = start;
    let bits = 0;
    for (; literal.IS_WORD_PART[codes[at]!] === 1; at += 1) bits |= codes[at]!;
    this.#at = at;
    // The head of `for await`.
    const isHead = this.#isHead;
    this.#isHead = false;
    this.#regexNext = false;
    // What looks like one word may be keywords with spaces that are not ASCII.
    if (bits >= literal.OTHER && /\s/.test(this.#text.slice(start, at))) return false;
    const role = literal.nestingRole(codes, start, at);
    // Before a constant no parser reads `case` as a name.
    const isCase =
      (role & literal.BEFORE_REGEX) !== 0 && CASE.test(this.#text.slice(start, at + 3));
    if (isCase || (endsStatement && (role === 0 || (role & literal.IS_START) !== 0)))
      this.#count.settle();
    if (role === 0) return this.#operand();
    if ((role & literal.STACKS) !== 0) {
      this.#count.add(WEIGHT);
      if ((role & literal.IS_CAST) !== 0) this.#hasCasts = true;
      if ((role & literal.IS_ELSE) !== 0) this.#count.keep();
    }
    if (isName) return true;
    this.#isHead = (role & literal.HAS_HEAD) !== 0 || (isHead && (role & literal.IS_OPEN) !== 0);
    if ((role & literal.BEFORE_REGEX) !== 0) {
      const isOpen = (role & literal.IS_OPEN) !== 0 || (this.#hasCasts && this.#mayBeType(start));
      this.#regexNext = isOpen ? undefined : true;
    }
    return true;
  }

  /** Parsers read a keyword as the name of a type where one must be: after a word or an operator of types. */
  #mayBeType(start: number): boolean {
    let at = start - 1;
    while (literal.IS_SPACE[this.#codes[at]!] === 1) at -= 1;
    const c = this.#codes[at] ?? 0;
    return literal.IS_WORD_PART[c] === 1 || '|&:?>/'.includes(String.fromCharCode(c));
  }

  #wordEnd(from: number): number {
    let at = from;
    while (literal.IS_WORD_PART[this.#codes[at]!] === 1) at += 1;
    return at;
  }

  #open(): boolean {
    this.#heads.push(this.#isHead);
    this.#isHead = false;
    this.#count.open();
    this.#regexNext = true;
    this.#at += 1;
    return true;
  }

  #close(c: number): boolean {
    this.#count.close();
    const isHead = this.#heads.pop() === true;
    this.#at += 1;
    if (c === CLOSE_CURLY && this.#templates.at(-1) === this.#heads.length) {
      this.#templates.pop();
      return this.#template(this.#at);
    }
    // `if (a) /b/` is a test, `f(a) / b` a division; after `}` it may be either.
    this.#regexNext = c === CLOSE_CURLY ? undefined : c === CLOSE_PAREN && isHead;
    // A name on the line after it begins a statement or a member.
    this.#isOperandEnd = c === CLOSE_CURLY || this.#regexNext === false;
    return true;
  }

  #string(): boolean {
    const end = literal.stringEnd(this.#codes, this.#at, this.#text.length);
    this.#at = end ?? this.#at;
    return this.#operand() && end !== undefined;
  }

  #template(from: number = this.#at + 1): boolean {
    const { length } = this.#text;
    const codes = this.#codes;
    for (let at = from; at < length; at += 1) {
      const c = codes[at]!;
      if (c === BACKSLASH) at += 1;
      else if (c === BACKTICK) {
        this.#at = at + 1;
        return this.#operand();
      } else if (c === DOLLAR && codes[at + 1] === OPEN_CURLY) {
        this.#templates.push(this.#heads.length);
        this.#at = at + 1;
        return this.#open();
      }
    }
    return false;
  }

  #slash(): boolean {
    const { length } = this.#text;
    const codes = this.#codes;
    const at = this.#at;
    const next = codes[at + 1]!;
    const isOpenEnd = at === this.#openEnd;
    // A comment in one reading only.
    if (isOpenEnd && (next === SLASH || next === STAR)) return false;
    // One reading more: a regular expression begins here.
    if (isOpenEnd && this.#regexNext !== false) return false;
    if (next === SLASH) {
      this.#at = literal.lineEnd(codes, at, length);
      return true;
    }
    if (next === STAR) {
      const close = this.#text.indexOf('*/', at + 2);
      this.#at = close === -1 ? length : close + 2;
      this.#isNewLine = true;
      return close !== -1;
    }
    const isDivision = this.#regexNext === false && !this.#isNewLine;
    this.#isNameNext = false;
    this.#isNewLine = false;
    this.#isHead = false;
    const end = literal.regexEnd(codes, at, length);
    if (this.#regexNext === true) {
      if (end === undefined) return false;
      this.#at = this.#wordEnd(end);
      return this.#operand();
    }
    if (!isDivision && !isOpenEnd && end !== undefined) {
      // Both readings agree when nothing in between opens, closes or ends anything: these are read as divisions.
      if (/["'`()[\]{}\\#,;]/.test(this.#text.slice(at + 1, end))) return false;
      if (literal.nestingRole(codes, end, this.#wordEnd(end)) !== 0) return false;
      this.#openEnd = end - 1;
    }
    this.#count.add(INFIX_WEIGHT);
    this.#at = at + 1;
    this.#regexNext = isOpenEnd ? undefined : true;
    return true;
  }
}

/** A sum nests only on its left, which costs the parsers little: an eighth of the others. Whole numbers are faster. */
export const INFIX_WEIGHT = 1;
export const WEIGHT = 8;

export class NestingCount {
  /** In units of `WEIGHT`, like the operators. */
  total = 0;
  /** Operators since the last end of a statement, and `else`s, of each open bracket. */
  readonly #operators: number[] = [0];
  readonly #kept: number[] = [0];

  open(): void {
    this.#operators.push(0);
    this.#kept.push(0);
    this.total += WEIGHT;
  }

  /** A bracket that nothing opened does not count. */
  close(): void {
    if (this.#operators.length === 1) return;
    this.total -= WEIGHT + this.#operators.pop()!;
    this.#kept.pop();
  }

  add(weight: number): void {
    this.#operators[this.#operators.length - 1]! += weight;
    this.total += weight;
  }

  /** What was added last stays at the end of a statement: an `else` belongs to the `if` before it. */
  keep(): void {
    this.#kept[this.#kept.length - 1]! += WEIGHT;
  }

  /** A statement or item ends. */
  settle(): void {
    const top = this.#operators.length - 1;
    this.total -= this.#operators[top]! - this.#kept[top]!;
    this.#operators[top] = this.#kept[top]!;
  }
}
