/** Lowers Python functions, methods and lambdas to the IR. */
import type { SyntaxNode } from '@lezer/common';
import { WALLET_PARAMETER, WALLET_SOURCE } from '../api.ts';
import type { Expr, Func } from '../ir.ts';
import { newSlot, type Slot } from '../value.ts';

/**
 * A function with its parameters and body.
 *
 * @param self the object of the class whose method it is: its first parameter
 */
export function lowerFunction(
  lowering: Lowering,
  node: SyntaxNode,
  outer: PythonScope,
  self: Slot | undefined,
): Func {
  const scope = new PythonScope(outer);
  const body: Expr[] = [];
  const { params, rest, named } = lowerParameters(lowering, node, outer, scope, self, body);
  const block = node.getChild('Body');
  if (block !== null) lowering.block(block, scope, body, undefined);
  else if (node.lastChild !== null) {
    const result = lowering.expression(node.lastChild, scope);
    body.push(assign(slotAt(scope.result, node), result, node));
  }
  return { params, rest, named, body, self: newSlot(), result: scope.result };
}

/** Declares the parameters in `scope`; adds their default values, which are evaluated in `outer`, to `body`. */
function lowerParameters(
  lowering: Lowering,
  node: SyntaxNode,
  outer: PythonScope,
  scope: PythonScope,
  self: Slot | undefined,
  body: Expr[],
): Pick<Func, 'params' | 'rest' | 'named'> {
  let first = self;
  const params: Slot[] = [];
  const named = new Map<string, Slot>();
  let rest: Slot | undefined;
  const list = node.getChild('ParamList');
  let stars = '';
  for (const child of list === null ? [] : childrenOf(list)) {
    if (child.name === '*' || child.name === '**') stars = child.name;
    else if (child.name === ',') stars = '';
    else if (child.name === 'VariableName' && child.prevSibling?.name !== 'AssignOp') {
      const name = lowering.textOf(child);
      const slot = first ?? newSlot();
      scope.slots.set(name, slot);
      if (first !== undefined) {
        first = undefined;
        continue;
      }
      if (stars === '') params.push(slot);
      else rest = slot;
      named.set(name, slot);
      if (WALLET_PARAMETER.test(name)) {
        const source: Expr = { ...at(child), op: 'global', name: WALLET_SOURCE };
        body.push(assign(slotAt(slot, child), source, child));
      }
    } else if (child.prevSibling?.name === 'AssignOp') {
      const name = child.prevSibling.prevSibling;
      const slot = name === null ? undefined : named.get(lowering.textOf(name));
      if (slot === undefined) continue;
      body.push(assign(slotAt(slot, child), lowering.expression(child, outer), child));
    }
  }
  return { params, rest, named };
}

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

/** `import` and `from ... import` statements. */
export function lowerPythonImport(
  lowering: Lowering,
  node: SyntaxNode,
  scope: PythonScope,
  out: Expr[],
): void {
  const text = lowering
    .textOf(node)
    .replace(/\\\r?\n/g, ' ')
    .replace(/#[^\n]*/g, ' ');
  const from = /^from\s+(\.*)\s*([\w.]*)\s*import\b\s*\(?([^)]*)/.exec(text);
  if (from !== null) {
    const [, dots = '', module = '', names = ''] = from;
    const imported: Expr = { ...at(node), op: 'import', module, level: dots.length };
    if (names.trim() === '*') lowering.stars.push(imported);
    for (const [name, local] of importedNames(names)) {
      const value = getOf(imported, name, node);
      out.push(assign(slotAt(scope.declare(local), node), value, node));
    }
    return;
  }
  for (const [name, local] of importedNames(text.replace(/^import\b/, ''))) {
    const first = local === name ? (name.split('.')[0] ?? name) : local;
    const module = local === name ? first : name;
    const imported: Expr = { ...at(node), op: 'import', module, level: 0 };
    out.push(assign(slotAt(scope.declare(first), node), imported, node));
  }
}

/** Declares the names that a block assigns, so that functions defined above can use them. */
export function declareIn(lowering: Lowering, node: SyntaxNode, scope: PythonScope): void {
  const globals = new Set<string>();
  for (const child of childrenOf(node)) {
    if (child.name === 'ScopeStatement') {
      for (const name of child.getChildren('VariableName')) globals.add(lowering.textOf(name));
    }
  }
  for (const child of childrenOf(node)) {
    if (/^(?:Function|Class)Definition$/.test(child.name)) {
      const name = child.getChild('VariableName');
      if (name !== null) scope.declare(lowering.textOf(name));
    } else if (/^(?:Assign|For|With)Statement$/.test(child.name)) {
      const source = child.getChild('in')?.from ?? Infinity;
      for (const name of child.getChildren('VariableName')) {
        // What a loop or a block reads is no name of its own.
        const isRead = name.from > source || name.nextSibling?.name === 'as';
        const isTarget = child.name === 'AssignStatement' ? isBeforeAssign(name) : !isRead;
        const text = lowering.textOf(name);
        if (isTarget && !globals.has(text)) scope.declare(text);
        else if (globals.has(text)) top(scope).declare(text);
      }
    }
    if (
      /^(?:If|For|While|Try|With|Match|Decorated)Statement$|^(?:Body|StatementGroup|MatchBody|MatchClause)$/.test(
        child.name,
      )
    ) {
      declareIn(lowering, child, scope);
    }
  }
}

function top(scope: PythonScope): PythonScope {
  let top = scope;
  while (top.parent !== undefined) top = top.parent;
  return top;
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
