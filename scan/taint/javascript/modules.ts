/** Lowers `import` and `export` statements to the IR, for the lowering of one file. */
import type { Expr, Func } from '../ir.ts';
import type { Slot } from '../value.ts';
import {
  type Node,
  type Scope,
  namesIn,
  nameOf,
  slotAt,
  assign,
  getOf,
  importOf,
} from './nodes.ts';

/** `import` statements. */
export function lowerImport(node: Node, scope: Scope, out: Expr[]): void {
  if (node['importKind'] === 'type' || node['importKind'] === 'typeof') return;
  const from = importOf(node);
  for (const one of node['specifiers'] as Node[]) {
    const local = slotAt(scope.declare(one['local'].name), one);
    if (one.type === 'ImportNamespaceSpecifier') out.push(assign(local, from, one));
    else {
      const name = one.type === 'ImportDefaultSpecifier' ? 'default' : nameOf(one['imported']);
      out.push(assign(local, getOf(from, name, one), one));
    }
  }
  if ((node['specifiers'] as Node[]).length === 0) out.push(from);
}

/** `export { a }` and `export const a`. */
export function lowerExports(
  lowering: Lowering,
  node: Node,
  scope: Scope,
  out: Expr[],
  result: Slot,
): void {
  const { declaration } = node;
  if (declaration) {
    lowering.statement(declaration, scope, out, result);
    const ids: Node[] = declaration.declarations
      ? declaration.declarations.map((d: Node) => d['id'])
      : [declaration.id];
    for (const name of ids.filter(Boolean).flatMap(namesIn)) {
      const slot = scope.find(name);
      if (slot !== undefined) lowerExport(lowering, name, slotAt(slot, node), node, out);
    }
  }
  for (const one of node['specifiers'] as Node[]) {
    if (!one['local']) continue;
    const value = node['source']
      ? getOf(importOf(node), nameOf(one['local']), one)
      : lowering.expression(one['local'], scope);
    lowerExport(lowering, nameOf(one['exported']), value, one, out);
  }
}

/** Stores `value` as the export `name`. */
export function lowerExport(
  lowering: Lowering,
  name: string,
  value: Expr,
  node: Node,
  out: Expr[],
): void {
  out.push(assign(getOf(slotAt(lowering.exports, node), name, node), value, node));
}

/** The lowering of one file as its parts see it. */
export interface Lowering {
  /** What the module exports. */
  readonly exports: Slot;
  /** An expression; `none` for a missing one. */
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
