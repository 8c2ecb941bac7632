/** Python to a Lezer tree. The parser works without recursion and recovers from every error, within a bound of depth. */
import type { Input, NodeType, PartialParse, Tree } from '@lezer/common';
import { BeyondLimits, MAX_DEPTH, checkBroken, checkSize, tooDeep } from './limits.ts';
import { parser } from './python-parser.js';
import { ReleasableTree } from './releasable-tree.ts';

interface ParsedPython {
  readonly tree: Tree;
  /** Where the first syntax error is; the tree goes on after it. */
  readonly problemAt: number | undefined;
  /** Frees the tree, which is made again when it is read. */
  release(): void;
}

/**
 * Productions that are open at once: up to five for a level of the tree. Beyond 2,500 levels the library makes trees with nodes of no
 * type, and with every open production it moves all that follows: the time grows with the square of the text.
 */
const MAX_OPEN_PRODUCTIONS = 2_000;

/** Characters that the library gets at once. */
const PIECE = 1_024;
/** How often each may be read, on average; usual code is read once. Short texts are read often enough in any case. */
const MAX_READINGS = 32;
const MIN_READS = 2_000;

/** @throws {BeyondLimits} the text is too large, nested too deeply, or has too many errors */
export function parsePython(text: string): ParsedPython {
  checkSize(text.length);
  const tree = parseWithin(text);
  const problemAt = readTree(tree);
  return Object.assign(new ReleasableTree(() => parseWithin(text), tree), { problemAt });
}

/** The tree of a text; `undefined` for one that has a syntax error, and for one that is beyond the limits. */
export function wholePython(text: string): Tree | undefined {
  try {
    const { tree, problemAt } = parsePython(text);
    return problemAt === undefined ? tree : undefined;
  } catch (error) {
    if (error instanceof BeyondLimits) return undefined;
    throw error;
  }
}

/**
 * Where the first error of a tree is. After some errors the library leaves a node without a type, on which nobody can go on.
 *
 * @throws {BeyondLimits}
 */
function readTree(tree: Tree): number | undefined {
  let problemAt: number | undefined;
  /** A level has two nodes: a call and its arguments, a statement and its body. */
  let left = 2 * MAX_DEPTH;
  tree.iterate({
    enter: ({ type, from }) => {
      // The types of the library do not know of it.
      if ((type as NodeType | undefined) === undefined)
        throw new BeyondLimits('its parser gives no whole tree');
      if (type.isError) problemAt ??= from;
      if ((left -= 1) < 0) throw tooDeep();
    },
    leave: () => void (left += 1),
  });
  return problemAt;
}

/**
 * Step by step, as `parser.parse()` does it: a step reads about one token.
 *
 * @throws {BeyondLimits} the bounds, which depend on the text alone and not on the machine
 */
function parseWithin(text: string): Tree {
  const parse = parser.startParse(new CountedInput(text)) as PartialParse & ParseState;
  for (;;) {
    const tree = parse.advance();
    if (tree !== null) return tree;
    // The library takes 300 lines of comments for a chain such as `a + a + a`, and cuts it. The depth has a bound of its own.
    parse.bigReductionCount = 0;
    if (parse.recovering > 0) checkBroken(text.length);
    for (const { stack } of parse.stacks) {
      if (stack.length > MAX_OPEN_PRODUCTIONS * 3) throw tooDeep();
    }
  }
}

/** What the library keeps of the ways in which a text may be read: three numbers for each open production. */
interface ParseState {
  readonly stacks: readonly { readonly stack: readonly number[] }[];
  /** Reductions in a row that begin at the same place. */
  bigReductionCount: number;
  /** Above zero after an error. */
  readonly recovering: number;
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
    if (this.#left < 0) throw new BeyondLimits('its syntax has too many errors');
    this.#end = from + PIECE;
    return this.#text.slice(from, this.#end);
  }

  read(from: number, to: number): string {
    return this.#text.slice(from, to);
  }
}
