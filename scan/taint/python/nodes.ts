/** Nodes and scopes of Python, and constructors of IR expressions at a node. */
import type { SyntaxNode } from '@lezer/common';
import type { Expr } from '../ir.ts';
import { newSlot, type Slot } from '../value.ts';

/** Deeper syntax is read apart from what is around it; people do not write it. */
export const MAX_DEPTH = 600;

/** The names of a module or function. The members of a class are fields of its object instead. */
export class PythonScope {
  readonly slots = new Map<string, Slot>();
  readonly parent: PythonScope | undefined;
  readonly result: Slot = newSlot();

  constructor(parent: PythonScope | undefined) {
    this.parent = parent;
  }

  find(name: string): Slot | undefined {
    return this.slots.get(name) ?? this.parent?.find(name);
  }

  declare(name: string): Slot {
    const slot = this.slots.get(name) ?? newSlot();
    this.slots.set(name, slot);
    return slot;
  }
}

/** The child nodes without comments. */
export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (child.name !== 'Comment') children.push(child);
  }
  return children;
}

/** Whether an assignment operator follows the node. */
export function isBeforeAssign(node: SyntaxNode): boolean {
  for (let next = node.nextSibling; next !== null; next = next.nextSibling) {
    if (next.name === 'AssignOp') return true;
  }
  return false;
}

/** Whether the node is a keyword or comma of a `return` or `yield`. */
export function isKeyword({ name }: SyntaxNode): boolean {
  return name === 'return' || name === 'yield' || name === 'from' || name === ',';
}

/** The names of an `import` list, each with its local name. */
export function* importedNames(list: string): Generator<[string, string]> {
  for (const one of list.split(',')) {
    const match = /^\s*([\w.]+)(?:\s+as\s+(\w+))?\s*$/.exec(one);
    if (match !== null) yield [match[1]!, match[2] ?? match[1]!];
  }
}

/** The nodes between those whose name matches `at`. */
export function split(nodes: readonly SyntaxNode[], at: RegExp): SyntaxNode[][] {
  const groups: SyntaxNode[][] = [[]];
  for (const node of nodes) {
    if (at.test(node.name)) groups.push([]);
    else groups.at(-1)!.push(node);
  }
  return groups;
}

/** The place of a node. */
export function at({ from, to }: SyntaxNode): { at: number; end: number } {
  return { at: from, end: to };
}

export function slotAt(slot: Slot, node: SyntaxNode): Expr {
  return { ...at(node), op: 'slot', slot };
}

export function assign(target: Expr, value: Expr, node: SyntaxNode, isAdded = false): Expr {
  return { ...at(node), op: 'assign', target, value, isAdded };
}

export function getOf(of: Expr, key: string, node: SyntaxNode): Expr {
  return { ...at(node), op: 'get', of, key: { ...at(node), op: 'text', text: key } };
}

/** Any element of `of`. */
export function getAny(of: Expr, node: SyntaxNode): Expr {
  return { ...at(node), op: 'get', of, key: { ...at(node), op: 'none' } };
}
