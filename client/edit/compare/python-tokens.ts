/** The tokens of a Python text, with the lines and blocks of its statements. Pure, linear, no recursion. */
import { readString } from './python-strings.ts';
import { characterClass } from '../../../format/unicode.ts';

export interface PythonToken {
  readonly kind:
    | 'word'
    | 'number'
    | 'string'
    | 'operator'
    | 'comment'
    /** The end of a statement, the begin and the end of a block. */
    | 'newline'
    | 'indent'
    | 'dedent';
  readonly raw: string;
  readonly start: number;
}

const OPERATOR =
  /\*\*=|\/\/=|>>=|<<=|\.\.\.|[!=<>:+\-*/%&|^@]=|->|\*\*|\/\/|<<|>>|[-+*/%@&|^~<>()[\]{},:.;=!]/y;
const NUMBER =
  /(?:0[xXoObB][\da-fA-F_]+|(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d[\d_]*)?[jJ]?)/y;
const WORD = new RegExp(
  `[${characterClass('L', 'Nl')}_][${characterClass('L', 'Nl', 'Mn', 'Mc', 'Nd', 'Pc')}_]*`,
  'uy',
);
const STRING_START = /[rRbBuUfFtT]{0,2}(?:'|")/y;
const TAB_SIZE = 8;
/** The comparison reads the content of each bracket again. */
const MAX_BRACKETS = 200;

/** The tokens; `undefined` for a text that is no Python, such as one with an open bracket. */
export function tokenizePython(text: string): PythonToken[] | undefined {
  return new Tokenizer(text).run();
}

class Tokenizer {
  readonly #text: string;
  readonly #tokens: PythonToken[] = [];
  readonly #columns: number[] = [0];
  readonly #brackets: string[] = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  run(): PythonToken[] | undefined {
    while (this.#at < this.#text.length) {
      if (!this.#line()) return undefined;
    }
    if (this.#brackets.length > 0) return undefined;
    this.#endLine();
    return this.#block(0) ? this.#tokens : undefined;
  }

  /** Reads one logical line with its indentation; false where the text is no Python. */
  #line(): boolean {
    const text = this.#text;
    let column = 0;
    for (; this.#at < text.length; this.#at += 1) {
      const c = text[this.#at];
      if (c === ' ') column += 1;
      else if (c === '\t') column = (Math.floor(column / TAB_SIZE) + 1) * TAB_SIZE;
      else if (c === '\f') column = 0;
      else break;
    }
    const c = text[this.#at];
    if (c === '\n') {
      this.#at += 1;
      return true;
    }
    // The indentation of a comment means nothing.
    if (c === '#') {
      this.#comment();
      return true;
    }
    return c === undefined || (this.#block(column) && this.#statement());
  }

  #statement(): boolean {
    const text = this.#text;
    while (this.#at < text.length) {
      const c = text[this.#at]!;
      if (c === '\n') {
        this.#at += 1;
        if (this.#brackets.length > 0) continue;
        this.#endLine();
        return true;
      }
      if (c === ' ' || c === '\t' || c === '\f') this.#at += 1;
      else if (c === '\\' && text[this.#at + 1] === '\n') this.#at += 2;
      else if (c === '#') this.#comment();
      else if (!this.#token()) return false;
    }
    return true;
  }

  #token(): boolean {
    const string = this.#match(STRING_START);
    if (string !== undefined) {
      const end = readString(this.#text, this.#at, string);
      return end !== undefined && this.#push('string', end);
    }
    const number = this.#match(NUMBER);
    if (number !== undefined) return this.#push('number', this.#at + number.length);
    const word = this.#match(WORD);
    if (word !== undefined) return this.#push('word', this.#at + word.length);
    const operator = this.#match(OPERATOR);
    if (operator === undefined || !this.#bracket(operator)) return false;
    return this.#push('operator', this.#at + operator.length);
  }

  #bracket(operator: string): boolean {
    const close = { '(': ')', '[': ']', '{': '}' }[operator];
    if (close !== undefined) return this.#brackets.push(close) <= MAX_BRACKETS;
    if (/^[)\]}]$/.test(operator)) return this.#brackets.pop() === operator;
    return true;
  }

  #comment(): void {
    const end = this.#text.indexOf('\n', this.#at);
    this.#push('comment', end === -1 ? this.#text.length : end);
  }

  #endLine(): void {
    const last = this.#tokens.findLast(({ kind }) => kind !== 'comment');
    if (last === undefined || ['newline', 'indent', 'dedent'].includes(last.kind)) return;
    this.#push('newline', this.#at);
  }

  /** Opens or closes blocks for a line that begins at `column`. */
  #block(column: number): boolean {
    if (column > this.#columns.at(-1)!) {
      this.#columns.push(column);
      return this.#push('indent', this.#at);
    }
    while (column < this.#columns.at(-1)!) {
      this.#columns.pop();
      this.#push('dedent', this.#at);
    }
    return column === this.#columns.at(-1);
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#text)?.[0];
  }

  #push(kind: PythonToken['kind'], end: number): true {
    const isMark = kind === 'newline' || kind === 'indent' || kind === 'dedent';
    this.#tokens.push({
      kind,
      raw: isMark ? '' : this.#text.slice(this.#at, end),
      start: this.#at,
    });
    this.#at = end;
    return true;
  }
}
