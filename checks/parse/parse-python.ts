/** Python to a Lezer tree. The parser works without recursion and recovers from every error. */
import type { Tree } from '@lezer/common';
import { parser } from '@lezer/python';

export interface ParsedPython {
  readonly tree: Tree;
  /** Where the first syntax error is; the tree goes on after it. */
  readonly problemAt: number | undefined;
}

export function parsePython(text: string): ParsedPython {
  const tree = parser.parse(text);
  const cursor = tree.cursor();
  do {
    if (cursor.type.isError) return { tree, problemAt: cursor.from };
  } while (cursor.next());
  return { tree, problemAt: undefined };
}
