/** What JavaScript's modules take from and give to each other. */
import type { Expr, Slot } from '../ir.ts';
import type { Node, Scope } from './nodes.ts';
import { assign, getOf, importOf, nameOf, namesIn, slotAt } from './nodes.ts';
import type { JavaScriptLowering } from './lower.ts';

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
  to: JavaScriptLowering,
  node: Node,
  scope: Scope,
  out: Expr[],
  result: Slot,
): void {
  const { declaration } = node;
  if (declaration) {
    to.statement(declaration, scope, out, result);
    const ids: Node[] = declaration.declarations
      ? declaration.declarations.map((d: Node) => d['id'])
      : [declaration.id];
    for (const name of ids.filter(Boolean).flatMap(namesIn)) {
      const slot = scope.find(name);
      if (slot !== undefined) lowerExport(to, name, slotAt(slot, node), node, out);
    }
  }
  for (const one of node['specifiers'] as Node[]) {
    if (!one['local']) continue;
    const value = node['source']
      ? getOf(importOf(node), nameOf(one['local']), one)
      : to.expression(one['local'], scope);
    lowerExport(to, nameOf(one['exported']), value, one, out);
  }
}

/** Stores what a module gives to others. */
export function lowerExport(
  to: JavaScriptLowering,
  name: string,
  value: Expr,
  node: Node,
  out: Expr[],
): void {
  out.push(assign(getOf(slotAt(to.exports, node), name, node), value, node));
}
