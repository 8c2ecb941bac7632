/** Python to a Lezer tree. The parser works without recursion and recovers from every error, within a bound of depth. */
import type { Input, NodeType, PartialParse, Tree } from '@lezer/common';
import { parser } from '@lezer/python';
import { MAX_SOURCE_LENGTH, ReleasableTree } from './is-bounded.ts';

interface ParsedPython {
  readonly tree: Tree;
  /** Where the first syntax error is; the tree goes on after it. */
  readonly problemAt: number | undefined;
  /** Why part of the text is not in the tree. */
  readonly gap?: string | undefined;
  /** It is so large that what does not matter is not in the tree. */
  readonly isInParts?: boolean;
  /** Frees the tree, which is made again when it is read. */
  release(): void;
}

/**
 * Productions that are open at once. Python itself reads 200 open brackets, 150 f-strings in each other and 100 levels of
 * indentation, which take up to five each. Beyond 2,500 levels the library makes trees with nodes of no type, and with
 * every open production it moves all that follows: the time grows with the square of the text.
 */
const MAX_OPEN_PRODUCTIONS = 2_000;

/** Characters that the library gets at once. */
const PIECE = 1_024;
/** How often each may be read, on average; usual code is read once. Short texts are read often enough in any case. */
const MAX_READINGS = 32;
const MIN_READS = 2_000;

/** What a parse is given up for. */
class BeyondBounds extends RangeError {}

/** @param matters whether a part of a text that is too large is read */
export function parsePython(
  text: string,
  matters: (text: string) => boolean = () => true,
): ParsedPython {
  const parts =
    text.length > MAX_SOURCE_LENGTH
      ? partsThatMatter(text, matters)
      : { code: text, gap: undefined, isInParts: false };
  const { code, gap, isInParts, tree, problemAt } = parseParts(parts);
  // What was left out may leave a block without a statement.
  const outline = { problemAt: code === text ? problemAt : undefined, gap, isInParts };
  return Object.assign(new ReleasableTree(() => parseWithin(code), tree), outline);
}

/** Of a text beyond the bounds, the statements at its top level that are within them. */
function parseParts(parts: Parts): Parts & WholeTree {
  try {
    return { ...parts, ...parseWhole(parts.code) };
  } catch (error) {
    if (!(error instanceof BeyondBounds)) throw error;
    const isRead = (statement: string): boolean => {
      try {
        parseWhole(statement);
        return true;
      } catch (problem) {
        if (problem instanceof BeyondBounds) return false;
        throw problem;
      }
    };
    const { code } = partsOf(statementsOf(parts.code), isRead);
    const gap = parts.gap ?? error.message;
    try {
      return { code, gap, isInParts: parts.isInParts, ...parseWhole(code) };
    } catch (problem) {
      // All together they have too many errors.
      if (!(problem instanceof BeyondBounds)) throw problem;
      return { code: '', gap, isInParts: parts.isInParts, ...parseWhole('') };
    }
  }
}

interface WholeTree {
  readonly tree: Tree;
  /** Where the first error is. */
  readonly problemAt: number | undefined;
}

/**
 * A tree in which each node has a type. After some errors the library leaves one without, on which nobody can go on.
 *
 * @throws {BeyondBounds}
 */
function parseWhole(text: string): WholeTree {
  const tree = parseWithin(text);
  const cursor = tree.cursor();
  let problemAt: number | undefined;
  do {
    // The types of the library do not know of it.
    const type: NodeType | undefined = cursor.type;
    if (type === undefined) throw new BeyondBounds('its parser gives no whole tree');
    if (type.isError) problemAt ??= cursor.from;
  } while (cursor.next());
  return { tree, problemAt };
}

/**
 * Step by step, as `parser.parse()` does it: a step reads about one token.
 *
 * @throws {BeyondBounds} the bounds, which depend on the text alone and not on the machine
 */
function parseWithin(text: string): Tree {
  const parse = parser.startParse(new CountedInput(text)) as PartialParse & OpenStacks;
  for (;;) {
    const tree = parse.advance();
    if (tree !== null) return tree;
    for (const { stack } of parse.stacks) {
      if (stack.length > MAX_OPEN_PRODUCTIONS * 3)
        throw new BeyondBounds('its syntax is nested too deeply');
    }
  }
}

/** What the library keeps of the ways in which a text may be read: three numbers for each open production. */
interface OpenStacks {
  readonly stacks: readonly { readonly stack: readonly number[] }[];
}

/** A text in pieces, which counts how often they are read: after errors, the library may read a line again for each token. */
class CountedInput implements Input {
  readonly lineChunks = false;
  readonly length: number;
  readonly #text: string;
  /** Of the last piece. */
  #end = -1;
  #left: number;

  constructor(text: string) {
    this.#text = text;
    this.length = text.length;
    this.#left = MIN_READS + (text.length / PIECE) * MAX_READINGS;
  }

  chunk(from: number): string {
    // The piece before was read to its end; elsewhere, the library goes back to a token.
    if (from === this.#end) this.#left -= 1;
    if (this.#left < 0) throw new BeyondBounds('its syntax has too many errors');
    this.#end = from + PIECE;
    return this.#text.slice(from, this.#end);
  }

  read(from: number, to: number): string {
    return this.#text.slice(from, to);
  }
}

/** A quote, a comment, or the start of a line without indentation. */
const TOKEN = /"""|'''|"|'|#[^\n]*|\n(?=[^\s#)\]}])/g;
/** Such a line goes on with the statement before it. */
const GOES_ON = /^(?:else|elif|except|finally)\b/;

interface Statement {
  /** With blanks for comments. */
  readonly code: string;
  /** Its length without these blanks. */
  readonly size: number;
}

interface Parts {
  readonly code: string;
  /** Why some of the text is not in it. */
  readonly gap: string | undefined;
  /** Some of the text is not in it because it does not matter. */
  readonly isInParts: boolean;
}

/** All code of a text that comments alone make too large; of others, what matters. */
function partsThatMatter(text: string, matters: (text: string) => boolean): Parts {
  const statements = statementsOf(text);
  const size = statements.reduce((sum, one) => sum + one.size, 0);
  return partsOf(statements, size > MAX_SOURCE_LENGTH ? matters : () => true);
}

/** The text of the statements, with blanks for those that are not read. */
function partsOf(statements: readonly Statement[], isRead: (text: string) => boolean): Parts {
  let [length, gap, isInParts] = [0, undefined as string | undefined, false];
  const parts = statements.map(({ code, size }) => {
    const isWhole = length + size <= MAX_SOURCE_LENGTH;
    const isChosen = isRead(code);
    isInParts ||= !isChosen;
    if (isChosen && isWhole) length += size;
    if (isChosen && !isWhole) gap ??= `it has more than ${MAX_SOURCE_LENGTH} characters of code`;
    return isChosen && isWhole ? code : ' '.repeat(code.length);
  });
  return { code: parts.join(''), gap, isInParts };
}

/** The statements at the top level. */
function statementsOf(text: string): readonly Statement[] {
  const statements: Statement[] = [];
  const read: string[] = [];
  let from = 0;
  const addStatement = (): void => {
    const code = read.join('');
    statements.push({ code, size: code.replaceAll(' '.repeat(64), '').trim().length });
    read.length = 0;
  };
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
    const [{ length: width }, { index }] = [match[0], match];
    const isQuote = /^["']/.test(match[0]);
    const end = isQuote ? quoteEnd(text, match[0], index + width) : index + width;
    read.push(text.slice(from, index));
    read.push(match[0].startsWith('#') ? ' '.repeat(width) : text.slice(index, end));
    [from, TOKEN.lastIndex] = [end, end];
    if (match[0] === '\n' && !GOES_ON.test(text.slice(end, end + 10))) addStatement();
  }
  read.push(text.slice(from));
  addStatement();
  return statements;
}

/** The same text, with blanks for comments. */
export function pythonWithoutComments(text: string): string {
  return statementsOf(text)
    .map(({ code }) => code)
    .join('');
}

/** Past the quote that ends a string; a short one ends at the end of its line at the latest. */
function quoteEnd(text: string, quote: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text.startsWith(quote, at)) return at + quote.length;
    else if (text[at] === '\n' && quote.length === 1) return at;
  }
  return text.length;
}
