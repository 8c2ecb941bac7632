/** Nodes and scopes of Python, and constructors of IR expressions at a node. */
import type { SyntaxNode } from '@lezer/common';
import type { Expr, Func } from '../ir.ts';
import { newSlot, type Slot } from '../value.ts';

/** The lowering of one file as its parts see it. */
export interface Lowering {
  readonly text: string;
  /** Modules of `from module import *`, which may define an unknown name. */
  readonly stars: Expr[];
  readonly textOf: (node: SyntaxNode) => string;
  /** An expression; `none` for one that carries no data. */
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

export function callOf(callee: Expr, args: readonly Expr[], node: SyntaxNode): Expr {
  return { ...at(node), op: 'call', callee, args, named: [] };
}

export function getOf(of: Expr, key: string, node: SyntaxNode): Expr {
  return { ...at(node), op: 'get', of, key: { ...at(node), op: 'text', text: key } };
}

/** Any element of `of`. */
export function getAny(of: Expr, node: SyntaxNode): Expr {
  return { ...at(node), op: 'get', of, key: { ...at(node), op: 'none' } };
}
