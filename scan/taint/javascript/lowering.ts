/** What the parts of the JavaScript lowering need from it. Each part gets a `Lowering`, so that none imports the whole. */
import type { Expr, Func } from '../ir.ts';
import type { Slot } from '../value.ts';
import type { Node, Scope } from './nodes.ts';

/** The lowering of one file as its parts see it. */
export interface Lowering {
  /** What the module exports. */
  readonly exports: Slot;
  /** An expression; `none` for a missing or too deeply nested one. */
  readonly expression: (node: Node | null | undefined, scope: Scope) => Expr;
  /** Adds the statement to `out`; `result` receives returned values. */
  readonly statement: (
    node: Node | null | undefined,
    scope: Scope,
    out: Expr[],
    result: Slot,
  ) => void;
  /** Stores `value` into a pattern: a name, a member, or parts of an object or list. */
  readonly bind: (pattern: Node, value: Expr, scope: Scope, out: Expr[]) => void;
  /** The key of a property or member. */
  readonly key: (node: Node, scope: Scope) => Expr;
  /** @param self what `this` is inside */
  readonly func: (node: Node, scope: Scope, self: Slot) => Func;
}
