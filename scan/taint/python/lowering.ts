/** What the parts of the Python lowering need from it. Each part gets a `Lowering`, so that none imports the whole. */
import type { SyntaxNode } from '@lezer/common';
import type { Expr, Func } from '../ir.ts';
import type { Slot } from '../value.ts';
import type { PythonScope } from './nodes.ts';

/** The lowering of one file as its parts see it. */
export interface Lowering {
  readonly text: string;
  /** Modules of `from module import *`, which may define an unknown name. */
  readonly stars: Expr[];
  readonly textOf: (node: SyntaxNode) => string;
  /** An expression; `none` for a too deeply nested one. */
  readonly expression: (node: SyntaxNode, scope: PythonScope) => Expr;
  /**
   * Adds the statements of a block to `out`.
   *
   * @param self the object of the class whose body the block is
   */
  readonly block: (
    node: SyntaxNode,
    scope: PythonScope,
    out: Expr[],
    self: Slot | undefined,
  ) => void;
  /** @param self the object of the class whose method it is: its first parameter */
  readonly func: (node: SyntaxNode, outer: PythonScope, self: Slot | undefined) => Func;
}
