/**
 * Where JavaScript and TypeScript can be cut into pieces that parsers read one by one: brackets, ends of statements, and
 * comments, found from tokens alone. It never fails: a wrong guess makes a piece that does not parse, which its reader notices.
 */
import {
  IS_SPACE,
  OTHER,
  characterCodes,
  isDigit,
  lineEnd,
  numberEnd,
  regexEnd,
  stringEnd,
} from './literal-ends.ts';

/**
 * What is cut out: the content of a bracket (statements, members, or expressions), or the end of a long expression or
 * statement: what follows the many operators, or the many `else`, before it.
 */
type CutKind =
  | 'block'
  | 'switch'
  | 'class'
  | 'object'
  | 'paren'
  | 'square'
  | 'template'
  | 'tail'
  | 'rest';

export interface Group {
  readonly kind: CutKind;
  readonly start: number;
  readonly end: number;
  /** Cuts within the content, in order. */
  readonly inner: readonly Group[];
  /** In the content, where a statement ends; of a group that is a list of statements. */
  readonly ends: readonly number[];
}

interface Cuts {
  readonly root: Group;
  /** Comments, as pairs of start and end. */
  readonly comments: readonly number[];
  /** Where a bracket or literal does not end; the cuts are doubtful then. */
  readonly problemAt: number | undefined;
}

/** Brackets and operators that nest in a piece, at most half of what `depthOf()` permits. An infix operator is an eighth. */
const MAX_LOAD = 120;
const INFIX_LOAD = 1 / 8;
/** Characters; a longer bracket is a piece of its own. */
const CUT_LENGTH = 60_000;

interface Frame {
  readonly kind: CutKind;
  readonly start: number;
  /** A cut because of what is around it. */
  readonly isCut: boolean;
  /** What nests around the content, and around the next token. */
  readonly base: number;
  load: number;
  /** The largest load in it. */
  peak: number;
  /** What nests in this statement or item alone. */
  chain: number;
  /** Characters of the cuts within it. */
  cutLength: number;
  readonly ends: number[];
  readonly inner: Group[];
  /** `if`, `for`, `while`, `switch`, `with` or `catch`, of whose parenthesis it is. */
  readonly head: string;
  /** After the closing bracket an operand is complete: a "/" divides. */
  readonly isOperand: boolean;
  /** `?` without their `:`, in this statement. */
  questions: number;
}

const SPACE = /\s/;
/** What words consist of, as are all characters that are not ASCII. */
const IS_WORD = Uint8Array.from({ length: 256 }, (_, c) =>
  Number(c >= OTHER || /[\w$\\]/.test(String.fromCharCode(c))),
);
const BEFORE_OPERAND =
  /^(?:return|typeof|case|in|of|delete|void|throw|new|else|do|instanceof|await|yield|extends|default|import|export)$/;
const STATEMENT =
  /^(?:const|let|var|function|class|if|for|while|return|export|import|try|switch|throw|do|async)$/;
const CONTINUES = /^(?:else|catch|finally|while|instanceof|in|of|as|satisfies|from)$/;
const INFIX = /^[%&*+<>|^/-]$/;
const WEIGHS =
  /^(?:if|else|for|while|do|with|try|new|typeof|void|delete|await|yield|async|throw|return|function|class)$/;
const HEAD = /^(?:if|for|while|switch|with|catch|await)$/;
/** Longer words, and those with other characters, are none of these. */
const KEYWORD = /^[a-z]{2,10}$/;

/** Reads `text` once, from its beginning to its end. */
export function findCuts(text: string): Cuts {
  return new Cutter(text).run();
}

/** The same text, with line ends in place of comments. */
export function javaScriptWithoutComments(text: string): string {
  const { comments } = findCuts(text);
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < comments.length; at += 2) {
    const [start = 0, end = 0] = [comments[at], comments[at + 1]];
    parts.push(text.slice(from, start), '\n'.repeat(end - start));
    from = end;
  }
  return parts.join('') + text.slice(from);
}

/** Statements are in it. */
function isList(kind: CutKind): boolean {
  return kind === 'block' || kind === 'switch' || kind === 'rest';
}

class Cutter {
  readonly #text: string;
  readonly #codes: Uint8Array;
  readonly #comments: number[] = [];
  readonly #frames: Frame[] = [];
  #at = 0;
  /** Whether an operand is complete, so that a "/" divides and a "{" is no object. */
  #hasOperand = false;
  /** A statement may begin here. */
  #isStart = true;
  #word = '';
  /** The last word, where a parenthesis follows it as part of a statement. */
  #head = '';
  /** After `class`, whose body is the next "{". */
  #isClass = false;
  #isFunctionValue = false;
  #newLine = false;
  #problemAt: number | undefined;

  constructor(text: string) {
    this.#text = text;
    // The shared buffer is used again before the text is read to its end.
    this.#codes = Uint8Array.from(characterCodes(text).subarray(0, text.length + 1));
  }

  run(): Cuts {
    const { length } = this.#text;
    this.#push('block', 0, '', false);
    if (this.#text.startsWith('#!')) this.#comment(lineEnd(this.#codes, 0, length));
    while (this.#at < length) this.#step(this.#codes[this.#at]!);
    this.#endTails(true);
    if (this.#frames.length > 1) this.#problem(length);
    while (this.#frames.length > 1) this.#pop(length);
    const { ends, inner } = this.#frames[0]!;
    const root: Group = { kind: 'block', start: 0, end: length, inner, ends };
    return { root, comments: this.#comments, problemAt: this.#problemAt };
  }

  #step(code: number): void {
    const at = this.#at;
    if (IS_SPACE[code] === 1) {
      if (code === 10 || code === 13) this.#newLine = true;
      this.#at += 1;
      return;
    }
    const isDigitNext = isDigit(code);
    if (IS_WORD[code] === 1 && !isDigitNext) {
      if (code >= OTHER && SPACE.test(this.#text[at]!)) this.#at += 1;
      else this.#readWord();
      return;
    }
    const c = this.#text[at]!;
    if (c === '/') this.#slash();
    else if (c === '"' || c === "'") {
      const end = stringEnd(this.#codes, at, this.#text.length);
      if (end === undefined) this.#problem(at);
      this.#operand(end ?? lineEnd(this.#codes, at, this.#text.length));
    } else if (c === '`') this.#template(at + 1);
    else if (isDigitNext) this.#operand(this.#wordEnd(numberEnd(this.#codes, at)));
    else if (c === '{' || c === '(' || c === '[') this.#open(c);
    else if (c === '}' || c === ')' || c === ']') this.#close(c);
    else this.#operator(c);
  }

  #operator(c: string): void {
    const isDoubled = (c === '+' || c === '-') && this.#text[this.#at + 1] === c;
    this.#at += isDoubled ? 2 : 1;
    if (isDoubled) return this.#token(this.#hasOperand && !this.#newLine);
    if (c === ';') {
      this.#endTails(false);
      this.#token(false);
      this.#isClass = false;
      const isElse = /^\s{0,200}else\b/.test(this.#text.slice(this.#at, this.#at + 210));
      if (!isElse) this.#endStatement();
      // As `depthOf()` counts: only a semicolon or comma surely ends what nests.
      const frame = this.#frames.at(-1)!;
      frame.load = frame.base;
      this.#isStart = true;
      return;
    }
    if (c === ',') {
      this.#endTails(false);
      const frame = this.#frames.at(-1)!;
      [frame.load, frame.chain] = [frame.base, 0];
      if (frame.kind === 'object' || frame.kind === 'square') frame.ends.push(this.#at);
      this.#token(false);
      return;
    }
    const isInfix = this.#hasOperand;
    // After a type argument or a `!` of TypeScript an operand is complete.
    this.#token(c === '!' && this.#hasOperand);
    this.#word = c === '>' && this.#text[this.#at - 2] === '=' ? '=>' : c;
    let frame = this.#frames.at(-1)!;
    if (c === ':' && frame.kind === 'tail' && frame.questions === 0) {
      this.#endTails(false);
      frame = this.#frames.at(-1)!;
    }
    if (c === '.' || c === '#' || c === '@') return;
    if (c === '?' && this.#text[this.#at] !== '.') frame.questions += 1;
    // The label of a statement, or a case.
    if (c === ':' && frame.questions === 0) this.#isStart = isList(frame.kind);
    else if (c === ':') frame.questions -= 1;
    this.#load(isInfix && INFIX.test(c) ? INFIX_LOAD : 1);
    const isLong = frame.chain > MAX_LOAD && !this.#isStart && c !== '?';
    if (isLong && !this.#isOperatorNext()) this.#push('tail', this.#at, '', true);
  }

  #token(hasOperand: boolean): void {
    this.#hasOperand = hasOperand;
    this.#isStart = false;
    this.#newLine = false;
    this.#head = '';
    this.#word = '';
  }

  #operand(end: number): void {
    this.#at = end;
    this.#token(true);
  }

  #load(weight: number): void {
    const frame = this.#frames.at(-1)!;
    frame.load += weight;
    frame.chain += weight;
    frame.peak = Math.max(frame.peak, frame.load);
  }

  /** The rest of an operator of several characters, or a body that is no expression. */
  #isOperatorNext(): boolean {
    return /^(?:[=>&|?*<.+-]|\s*\{)/.test(this.#text.slice(this.#at, this.#at + 50));
  }

  /** @param isWhole the statement ends as well */
  #endTails(isWhole: boolean, end: number = this.#at - (isWhole ? 0 : 1)): void {
    for (let top = this.#frames.at(-1)!; ; top = this.#frames.at(-1)!) {
      if (top.kind !== 'tail' && !(isWhole && top.kind === 'rest')) return;
      this.#pop(end);
    }
  }

  #endStatement(): void {
    this.#endTails(true);
    const frame = this.#frames.at(-1)!;
    [frame.questions, frame.chain] = [0, 0];
    if (frame.kind === 'block') frame.ends.push(this.#at);
    this.#isStart = isList(frame.kind);
  }

  #readWord(): void {
    const start = this.#at;
    const isName = this.#word === '.' || this.#word === '#' || this.#word === '?.';
    const end = this.#wordEnd(start);
    const word = this.#text.slice(start, end);
    if (isName || !KEYWORD.test(word)) {
      this.#operand(end);
      this.#word = isName ? 'name' : word;
      return;
    }
    const isStatement = STATEMENT.test(word);
    // A word that cannot go on: without a semicolon a statement ended at the end of the line.
    if (isStatement && this.#hasOperand && this.#newLine && !this.#isStart) {
      this.#at = start;
      this.#endStatement();
    }
    const wasStart = this.#isStart;
    const isHead = HEAD.test(word);
    const isBefore = BEFORE_OPERAND.test(word);
    this.#at = end;
    this.#token(!isBefore && !(isHead && word !== 'await'));
    this.#word = word;
    if (isHead) this.#head = word;
    if (word === 'class') this.#isClass = true;
    if (word === 'function') this.#isFunctionValue = !wasStart && !this.#isDeclaration(start);
    if (WEIGHS.test(word)) this.#load(1);
    if (word === 'else' || word === 'do') this.#beginBody();
  }

  /** A statement begins that belongs to the one around it. */
  #beginBody(): void {
    this.#isStart = true;
    const frame = this.#frames.at(-1)!;
    if (!isList(frame.kind) || frame.chain <= MAX_LOAD) return;
    // An `else` after a block belongs to the statement around it.
    const isBlock = /^\s{0,200}\{/.test(this.#text.slice(this.#at, this.#at + 210));
    if (!isBlock) this.#push('rest', this.#at, '', false);
  }

  /** `export default function`, `async function` at the start of a statement. */
  #isDeclaration(start: number): boolean {
    return /(?:^|[;{}\n])\s*(?:export\s+)?(?:default\s+)?(?:async\s+)?$/.test(
      this.#text.slice(Math.max(0, start - 40), start),
    );
  }

  #wordEnd(from: number): number {
    let at = from;
    while (IS_WORD[this.#codes[at]!] === 1) at += 1;
    return at;
  }

  #open(c: string): void {
    const head = c === '(' ? this.#head : '';
    const kind = c === '(' ? 'paren' : c === '[' ? 'square' : this.#braceKind();
    const isValue = kind === 'object' || (kind === 'block' && this.#isFunctionValue);
    if (kind === 'block') this.#isFunctionValue = false;
    const isOperand = kind === 'paren' ? head === '' : kind === 'square' || isValue;
    if (kind === 'class') this.#isClass = false;
    this.#at += 1;
    this.#push(kind, this.#at, head, isOperand);
    this.#token(false);
    this.#isStart = isList(kind);
  }

  #braceKind(): CutKind {
    if (this.#isClass) return 'class';
    if (this.#word === 'switch') return 'switch';
    if (this.#isStart || this.#hasOperand) return 'block';
    if (/^(?:=>|else|do|try|finally|catch|static|>|head)$/.test(this.#word)) return 'block';
    return 'object';
  }

  #close(c: string): void {
    this.#endTails(c === '}', this.#at);
    const top = this.#frames.at(-1)!;
    const kinds: Readonly<Record<string, readonly CutKind[]>> = {
      ')': ['paren'],
      ']': ['square'],
      '}': ['block', 'switch', 'class', 'object', 'template'],
    };
    if (this.#frames.length === 1 || !kinds[c]!.includes(top.kind)) {
      this.#problem(this.#at);
      this.#operand(this.#at + 1);
      return;
    }
    this.#pop(this.#at);
    this.#at += 1;
    if (top.kind === 'template') return this.#template(this.#at);
    this.#token(top.isOperand);
    if (top.head !== '') {
      this.#word = top.head === 'switch' ? 'switch' : 'head';
      this.#beginBody();
    }
    if (!/^(?:block|class|switch)$/.test(top.kind)) return;
    if (top.isOperand) return;
    const next = /^(?:\s|\/\/[^\n]*|\/\*[^]*?\*\/)*([\w$]+|[^\s])/.exec(
      this.#text.slice(this.#at, this.#at + 400),
    )?.[1];
    if (next === undefined || CONTINUES.test(next) || /^[.,;)\]?:=&|*%^[(`]/.test(next)) {
      this.#hasOperand = next !== undefined && /^[.,)\]?:&|*%^]/.test(next);
      return;
    }
    this.#endStatement();
  }

  #push(kind: CutKind, start: number, head: string, isOperand: boolean): void {
    const outer = this.#frames.at(-1);
    const isLong = kind === 'tail' || kind === 'rest';
    const isCut = isLong || (head === '' && (outer?.load ?? 0) > MAX_LOAD);
    const base = isCut || outer === undefined ? 0 : outer.load + 1;
    const frame: Frame = {
      kind,
      start,
      isCut,
      base,
      load: base,
      peak: base,
      chain: 0,
      cutLength: 0,
      ends: [],
      inner: [],
      head,
      isOperand,
      questions: 0,
    };
    this.#frames.push(frame);
  }

  #pop(end: number): void {
    const frame = this.#frames.pop()!;
    const outer = this.#frames.at(-1)!;
    const { kind, start, inner, ends, cutLength, head } = frame;
    const isLong = end - start - cutLength > CUT_LENGTH;
    // A list of statements is then read statement by statement.
    const isDeepList = kind === 'block' && frame.peak - frame.base > MAX_LOAD;
    if (frame.isCut || (head === '' && (isLong || isDeepList))) {
      outer.inner.push({ kind, start, end, inner, ends });
      outer.cutLength += end - start;
    } else {
      outer.cutLength += cutLength;
      for (const one of inner) outer.inner.push(one);
    }
  }

  #template(from: number): void {
    const { length } = this.#text;
    for (let at = from; at < length; at += 1) {
      const c = this.#text[at];
      if (c === '\\') at += 1;
      else if (c === '`') return this.#operand(at + 1);
      else if (c === '$' && this.#text[at + 1] === '{') {
        this.#at = at + 2;
        this.#push('template', this.#at, '', true);
        this.#token(false);
        return;
      }
    }
    this.#problem(from);
    this.#operand(length);
  }

  #slash(): void {
    const { length } = this.#text;
    const next = this.#text[this.#at + 1];
    if (next === '/') return this.#comment(lineEnd(this.#codes, this.#at, length));
    if (next === '*') {
      const close = this.#text.indexOf('*/', this.#at + 2);
      const end = close === -1 ? length : close + 2;
      if (this.#text.slice(this.#at, Math.min(end, this.#at + 1000)).includes('\n'))
        this.#newLine = true;
      return this.#comment(end);
    }
    const end = this.#hasOperand ? undefined : regexEnd(this.#codes, this.#at, length);
    if (end !== undefined) return this.#operand(this.#wordEnd(end));
    this.#at += 1;
    this.#token(false);
    this.#word = '/';
  }

  #comment(end: number): void {
    this.#comments.push(this.#at, end);
    this.#at = end;
  }

  #problem(at: number): void {
    this.#problemAt ??= at;
  }
}
