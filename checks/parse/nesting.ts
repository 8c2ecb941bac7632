/**
 * How deeply a text is nested, without parsing it. The native JavaScript parser recurses on the native stack,
 * and a stack overflow there ends the process, so it only parses text that was found to be shallow. Text that
 * was found to be deep is not parsed at all, so that the result depends on neither parser nor stack.
 *
 *     a = [b ? [c] : d]     depth 4: "=", "[", "?", "["
 *
 * Brackets and operators that make a parser recurse count; the end of a statement or item resets
 * its operators. Strings, comments and regular expressions are skipped; where a text could be read
 * in two ways ("/" after ")" or "}", JSX, HTML comments) its depth is unknown.
 */
import { OTHER, OTHER_LINE_END, characterCodes } from './character-codes.ts';
import { BEFORE_REGEX, HAS_HEAD, IS_ELSE, IS_OPEN, STACKS, nestingRole } from './nesting-words.ts';

export type Depth = 'shallow' | 'deep' | 'open';

/** Both parsers need at most a third of a worker thread's stack for this depth. */
export const SAFE_DEPTH = 300;
/** A sum nests only on its left, which costs the parsers little: an eighth of the others. Whole numbers are faster. */
const INFIX_WEIGHT = 1;
const WEIGHT = 8;

/** Each nested one doubles the time; 2^16 steps take little time. */
const MAX_CASTS = 16;

const [TAB, NEWLINE, CR, SPACE] = [9, 10, 13, 32];
const [DOUBLE, HASH, DOLLAR, SINGLE, STAR, SLASH, BACKSLASH, BACKTICK] = [
  34, 35, 36, 39, 42, 47, 92, 96,
];
const [OPEN_PAREN, CLOSE_PAREN, OPEN_SQUARE, CLOSE_SQUARE, OPEN_CURLY, CLOSE_CURLY] = [
  40, 41, 91, 93, 123, 125,
];
const [COMMA, SEMICOLON, BANG, PLUS, DASH, LESS] = [44, 59, 33, 43, 45, 60];

const IS_OPERATOR = new Uint8Array(128);
for (const c of '!%&*+-:<=>?^|~`') IS_OPERATOR[c.charCodeAt(0)] = 1;
const IS_INFIX = new Uint8Array(128);
for (const c of '%&*+-/^|') IS_INFIX[c.charCodeAt(0)] = 1;
const IS_WORD_PART = Uint8Array.from({ length: 256 }, (_, c) =>
  Number(c >= OTHER || /[\w$]/.test(String.fromCharCode(c))),
);
/** How deep JavaScript or TypeScript without JSX is nested, as far as that can be determined. */
export function depthOf(text: string): Depth {
  return new Scanner(text).scan();
}

/**
 * Whether the parser in JavaScript may read a text of unknown depth: its stack may overflow without harm, but
 * the parts that it reads repeatedly (labels, casts that could be generic functions) must be bounded.
 */
export function isBounded(text: string): boolean {
  if (/(?:[\w$]{1,40}\s{0,9}:\s{0,9}){100}/.test(text)) return false;
  let casts = 0;
  for (const _ of text.matchAll(/[=(,:?{;]\s{0,99}<[^<>()]{1,99}>\s{0,99}\(/g)) {
    casts += 1;
    if (casts > MAX_CASTS) return false;
  }
  return true;
}

class Scanner {
  readonly #text: string;
  /** What is not ASCII is a part of words, or ends a line. */
  readonly #codes: Uint8Array;
  #at = 0;
  /** In units of `WEIGHT`, like the operators. */
  #total = 0;
  /** Operators since the last end of a statement, and `else`s, of each open bracket. */
  readonly #operators: number[] = [0];
  readonly #kept: number[] = [0];
  /** Brackets that a template literal opened with `${`. */
  readonly #templates: number[] = [];
  /** For each open bracket, whether it is the head of `if`, `for`, `while` or `with`. */
  readonly #heads: boolean[] = [];
  #isHead = false;
  #isAfterOperand = false;
  /** Whether a `/` here begins a regular expression; `undefined` when that is unknown. */
  #regexNext: boolean | undefined = true;

  constructor(text: string) {
    this.#text = text;
    this.#codes = characterCodes(text);
  }

  scan(): Depth {
    const codes = this.#codes;
    const { length } = this.#text;
    if (this.#text.startsWith('#!')) this.#at = this.#lineEnd();
    while (this.#at < length) {
      const c = codes[this.#at]!;
      if (c === SPACE || c === NEWLINE || c === TAB || c === CR) {
        this.#at += 1;
        continue;
      }
      if (!this.#step(c)) return 'open';
      if (this.#total > SAFE_DEPTH * WEIGHT) return 'deep';
    }
    return 'shallow';
  }

  /** Reads one token; false when the text is ambiguous. */
  #step(c: number): boolean {
    if (isWordStart(c)) return this.#word();
    if (c === DOUBLE || c === SINGLE) return this.#string(c);
    if (c === BACKTICK) {
      this.#count();
      return this.#template();
    }
    if (c === SLASH) return this.#slash();
    if (c === OPEN_PAREN || c === OPEN_SQUARE || c === OPEN_CURLY) return this.#open();
    if (c === CLOSE_PAREN || c === CLOSE_SQUARE || c === CLOSE_CURLY) return this.#close(c);
    // HTML comments: a comment in scripts, operators in modules.
    if (c === LESS && this.#text.startsWith('<!--', this.#at)) return false;
    if (c === DASH && this.#text.startsWith('-->', this.#at)) return false;
    if (c === BACKSLASH || c === HASH) this.#regexNext = false;
    else if (c === COMMA || c === SEMICOLON) this.#settle();
    else if (c < 128 && IS_OPERATOR[c] === 1) this.#operator(c);
    else this.#regexNext = true;
    this.#at += 1;
    return true;
  }

  #operator(c: number): void {
    const isInfix = this.#regexNext === false && c < 128 && IS_INFIX[c] === 1;
    this.#count(isInfix ? INFIX_WEIGHT : WEIGHT);
    const previous = this.#at > 0 ? this.#codes[this.#at - 1]! : 0;
    const isDoubled = c === previous && (c === DASH || c === PLUS);
    // After an operand `++`, `--` and TypeScript's `!` belong to it, and a slash divides.
    if (isDoubled) this.#regexNext = !this.#isAfterOperand;
    else {
      this.#isAfterOperand = this.#regexNext === false;
      this.#regexNext = !(c === BANG && this.#isAfterOperand);
    }
  }

  #word(): boolean {
    const start = this.#at;
    const codes = this.#codes;
    let at = start + 1;
    while (IS_WORD_PART[codes[at]!] === 1) at += 1;
    this.#at = at;
    this.#regexNext = false;
    this.#isHead = false;
    const role = nestingRole(codes, start, at);
    if (role === 0) return true;
    if ((role & STACKS) !== 0) {
      this.#count();
      if ((role & IS_ELSE) !== 0) this.#kept[this.#kept.length - 1]! += WEIGHT;
    }
    const isProperty = start > 0 && codes[start - 1] === 46;
    this.#isHead = !isProperty && (role & HAS_HEAD) !== 0;
    if ((role & BEFORE_REGEX) !== 0) {
      this.#regexNext = isProperty ? false : (role & IS_OPEN) !== 0 ? undefined : true;
    }
    return true;
  }

  #open(): boolean {
    this.#heads.push(this.#isHead);
    this.#isHead = false;
    this.#operators.push(0);
    this.#kept.push(0);
    this.#total += WEIGHT;
    this.#regexNext = true;
    this.#at += 1;
    return true;
  }

  #close(c: number): boolean {
    let isHead = false;
    if (this.#operators.length > 1) {
      this.#total -= WEIGHT + this.#operators.pop()!;
      this.#kept.pop();
      isHead = this.#heads.pop() === true;
    }
    this.#at += 1;
    if (c === CLOSE_CURLY && this.#templates.at(-1) === this.#operators.length) {
      this.#templates.pop();
      return this.#template(this.#at);
    }
    // `if (a) /b/` is a test, `f(a) / b` a division; after `}` it may be either.
    this.#regexNext = c === CLOSE_CURLY ? undefined : c === CLOSE_PAREN && isHead;
    return true;
  }

  #count(weight = WEIGHT): void {
    this.#operators[this.#operators.length - 1]! += weight;
    this.#total += weight;
  }

  #settle(): void {
    const top = this.#operators.length - 1;
    this.#total -= this.#operators[top]! - this.#kept[top]!;
    this.#operators[top] = this.#kept[top]!;
    this.#regexNext = true;
  }

  #string(quote: number): boolean {
    const text = this.#text;
    const codes = this.#codes;
    for (let at = this.#at + 1; at < text.length; at += 1) {
      const c = codes[at]!;
      if (c === BACKSLASH) at += text.startsWith('\r\n', at + 1) ? 2 : 1;
      else if (c === NEWLINE || c === CR) return false;
      else if (c === quote) {
        this.#at = at + 1;
        this.#regexNext = false;
        return true;
      }
    }
    return false;
  }

  #template(from: number = this.#at + 1): boolean {
    const { length } = this.#text;
    const codes = this.#codes;
    for (let at = from; at < length; at += 1) {
      const c = codes[at]!;
      if (c === BACKSLASH) at += 1;
      else if (c === BACKTICK) {
        this.#at = at + 1;
        this.#regexNext = false;
        return true;
      } else if (c === DOLLAR && codes[at + 1] === OPEN_CURLY) {
        this.#templates.push(this.#operators.length);
        this.#at = at + 1;
        return this.#open();
      }
    }
    return false;
  }

  #slash(): boolean {
    const next = this.#codes[this.#at + 1]!;
    if (next === SLASH) {
      this.#at = this.#lineEnd();
      return true;
    }
    if (next === STAR) {
      const end = this.#text.indexOf('*/', this.#at + 2);
      this.#at = end === -1 ? this.#text.length : end + 2;
      return end !== -1;
    }
    const end = this.#regexEnd();
    let isRegex = this.#regexNext;
    // Ambiguous, but both readings agree when nothing in between could open a string or comment.
    if (isRegex === undefined) {
      const between = this.#text.slice(this.#at + 1, end ?? this.#lineEnd());
      if (/["'`]|\/[/*]/.test(between) || (end !== undefined && !isBalanced(between))) return false;
      isRegex = false;
    }
    if (isRegex) {
      if (end === undefined) return false;
      this.#at = end;
      this.#regexNext = false;
      return true;
    }
    this.#count(INFIX_WEIGHT);
    this.#at += 1;
    this.#regexNext = true;
    return true;
  }

  /** Past the end of a regular expression that begins here; `undefined` when the line ends first. */
  #regexEnd(): number | undefined {
    const { length } = this.#text;
    const codes = this.#codes;
    let isClass = false;
    for (let at = this.#at + 1; at < length; at += 1) {
      const c = codes[at]!;
      if (c === NEWLINE || c === CR) return undefined;
      if (c === BACKSLASH) at += 1;
      else if (c === OPEN_SQUARE) isClass = true;
      else if (c === CLOSE_SQUARE) isClass = false;
      else if (c === SLASH && !isClass) return at + 1;
    }
    return undefined;
  }

  #lineEnd(): number {
    const { length } = this.#text;
    const codes = this.#codes;
    for (let at = this.#at; at < length; at += 1) {
      const c = codes[at]!;
      if (c === NEWLINE || c === CR || c === OTHER_LINE_END) return at;
    }
    return length;
  }
}

function isBalanced(text: string): boolean {
  return !/[()[\]{}]/.test(text);
}

function isWordStart(c: number): boolean {
  return IS_WORD_PART[c] === 1 && (c < 48 || c > 57);
}
