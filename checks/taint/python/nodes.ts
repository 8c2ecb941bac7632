/** The nodes and scopes of Python, and how expressions are made from them. */
import type { SyntaxNode } from '@lezer/common';
import type { Expr, Slot } from '../ir.ts';
import { newSlot } from '../ir.ts';

/** Deeper syntax is left out: code that people write is not. */
export const MAX_DEPTH = 600;

/** The names of a module or function. A class has none of its own here: its members are fields. */
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

export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (child.name !== 'Comment') children.push(child);
  }
  return children;
}

export function isBeforeAssign(node: SyntaxNode): boolean {
  for (let next = node.nextSibling; next !== null; next = next.nextSibling) {
    if (next.name === 'AssignOp') return true;
  }
  return false;
}

export function isKeyword({ name }: SyntaxNode): boolean {
  return name === 'return' || name === 'yield' || name === 'from' || name === ',';
}

/** Names of an `import` with the names that they get here. */
export function* importedNames(list: string): Generator<[string, string]> {
  for (const one of list.split(',')) {
    const match = /^\s*([\w.]+)(?:\s+as\s+(\w+))?\s*$/.exec(one);
    if (match !== null) yield [match[1]!, match[2] ?? match[1]!];
  }
}

export function split(nodes: readonly SyntaxNode[], at: RegExp): SyntaxNode[][] {
  const groups: SyntaxNode[][] = [[]];
  for (const node of nodes) {
    if (at.test(node.name)) groups.push([]);
    else groups.at(-1)!.push(node);
  }
  return groups;
}

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

export function getAny(of: Expr, node: SyntaxNode): Expr {
  return { ...at(node), op: 'get', of, key: { ...at(node), op: 'none' } };
}
