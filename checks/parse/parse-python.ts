/** Python to a Lezer tree. The parser works without recursion and recovers from every error. */
import type { Tree } from '@lezer/common';
import { parser } from '@lezer/python';
import { MAX_SOURCE_LENGTH } from './is-bounded.ts';
import { ReleasableTree } from './releasable-tree.ts';

export interface ParsedPython {
  readonly tree: Tree;
  /** Where the first syntax error is; the tree goes on after it. */
  readonly problemAt: number | undefined;
  /** Why part of the text is not in the tree. */
  readonly gap?: string | undefined;
  /** Frees the tree, which is made again when it is read. */
  release(): void;
}

/** @param matters whether a part of a text that is too large is read */
export function parsePython(
  text: string,
  matters: (text: string) => boolean = () => true,
): ParsedPython {
  const { code, gap } =
    text.length > MAX_SOURCE_LENGTH ? partsOf(text, matters) : { code: text, gap: undefined };
  const make = (): Tree => parser.parse(code);
  const tree = make();
  // What was left out may leave a block without a statement.
  return new PythonText(make, tree, code === text ? problemIn(tree) : undefined, gap);
}

// A getter of a class: see `Outlined` in `parse-javascript.ts`.
class PythonText extends ReleasableTree<Tree> implements ParsedPython {
  readonly problemAt: number | undefined;
  readonly gap: string | undefined;

  constructor(
    make: () => Tree,
    tree: Tree,
    problemAt: number | undefined,
    gap: string | undefined,
  ) {
    super(make, tree);
    this.problemAt = problemAt;
    this.gap = gap;
  }
}

function problemIn(tree: Tree): number | undefined {
  const cursor = tree.cursor();
  do {
    if (cursor.type.isError) return cursor.from;
  } while (cursor.next());
  return undefined;
}

/** A quote, a comment, or the start of a line without indentation. */
const TOKEN = /"""|'''|"|'|#[^\n]*|\n(?=[^\s#)\]}])/g;
/** Such a line goes on with the statement before it. */
const GOES_ON = /^(?:else|elif|except|finally)\b/;

/** The same text, with blanks for comments and for the statements at its top level that do not matter. */
function partsOf(
  text: string,
  matters: (text: string) => boolean,
): { readonly code: string; readonly gap: string | undefined } {
  const parts: string[] = [];
  const read: string[] = [];
  let [from, length] = [0, 0];
  let gap: string | undefined;
  const addStatement = (): void => {
    const statement = read.join('');
    const isRead = matters(statement);
    const isWhole = length + statement.trim().length <= MAX_SOURCE_LENGTH;
    if (isRead && isWhole) length += statement.trim().length;
    if (isRead && !isWhole) gap ??= `it has more than ${MAX_SOURCE_LENGTH} characters of code`;
    parts.push(isRead && isWhole ? statement : ' '.repeat(statement.length));
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
  return { code: parts.join(''), gap };
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
