/** Lowers the imports and exports of JavaScript modules to the IR. */
import type { Expr } from '../ir.ts';
import type { Slot } from '../value.ts';
import {
  assign,
  getOf,
  importOf,
  nameOf,
  namesIn,
  slotAt,
  type Node,
  type Scope,
} from './nodes.ts';
import type { Lowering } from './lowering.ts';

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
