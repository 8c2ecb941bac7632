/** Python to a Lezer tree. The parser works without recursion and recovers from every error, within a bound of depth. */
import type { Input, PartialParse, Tree } from '@lezer/common';
import { parser } from '@lezer/python';
import { ReleasableTree } from './releasable-tree.ts';

export interface ParsedPython {
  readonly tree: Tree;
  /** Where the first syntax error is; the tree goes on after it. */
  readonly problemAt: number | undefined;
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

/** The message of the error for a text that would be read more often. */
export const READ_TOO_OFTEN = 'Read too often';

/** @throws {RangeError} nested too deeply to be read */
export function parsePython(text: string): ParsedPython {
  const make = (): Tree => parseWithin(text);
  const tree = make();
  return new PythonText(make, tree, problemIn(tree));
}

/**
 * Step by step, as `parser.parse()` does it: a step reads about one token.
 *
 * @throws {RangeError} beyond the bounds, which depend on the text alone and not on the machine
 */
function parseWithin(text: string): Tree {
  const parse = parser.startParse(new CountedInput(text)) as PartialParse & OpenStacks;
  for (;;) {
    const tree = parse.advance();
    if (tree !== null) return tree;
    for (const { stack } of parse.stacks) {
      if (stack.length > MAX_OPEN_PRODUCTIONS * 3) throw new RangeError('Nested too deeply');
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
    if (this.#left < 0) throw new RangeError(READ_TOO_OFTEN);
    this.#end = from + PIECE;
    return this.#text.slice(from, this.#end);
  }

  read(from: number, to: number): string {
    return this.#text.slice(from, to);
  }
}

// A getter of a class: see `Outlined` in `parse-javascript.ts`.
class PythonText extends ReleasableTree<Tree> implements ParsedPython {
  readonly problemAt: number | undefined;

  constructor(make: () => Tree, tree: Tree, problemAt: number | undefined) {
    super(make, tree);
    this.problemAt = problemAt;
  }
}

function problemIn(tree: Tree): number | undefined {
  const cursor = tree.cursor();
  do {
    if (cursor.type.isError) return cursor.from;
  } while (cursor.next());
  return undefined;
}
