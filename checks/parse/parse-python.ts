/** Python to a Lezer tree. The parser works without recursion and recovers from every error. */
import type { Tree } from '@lezer/common';
import { parser } from '@lezer/python';
import { ReleasableTree } from './releasable-tree.ts';

export interface ParsedPython {
  readonly tree: Tree;
  /** Where the first syntax error is; the tree goes on after it. */
  readonly problemAt: number | undefined;
  /** Frees the tree, which is made again when it is read. */
  release(): void;
}

export function parsePython(text: string): ParsedPython {
  const make = (): Tree => parser.parse(text);
  const tree = make();
  return new PythonText(make, tree, problemIn(tree));
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
