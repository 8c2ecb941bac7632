/** Nodes, scopes and patterns of JavaScript, and constructors of IR expressions at a node. */
import type { SyntaxNode } from '../../parse/parse-javascript.ts';
import type { Entry, Expr } from '../ir.ts';
import { newSlot, type Slot } from '../value.ts';

/** A node with untyped fields; its `type` determines which it has. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Node = SyntaxNode & Record<string, any>;

/** The names that a function or block declares. */
export class Scope {
  readonly slots = new Map<string, Slot>();
  readonly parent: Scope | undefined;
  /** What `this` is here. */
  readonly self: Slot;
  /** What the function around it returns, or yields. */
  result: Slot | undefined;

  constructor(parent: Scope | undefined, self: Slot) {
    this.parent = parent;
    this.self = self;
    this.result = parent?.result;
  }

  declare(name: string): Slot {
    const slot = this.slots.get(name) ?? newSlot();
    this.slots.set(name, slot);
    return slot;
  }

  find(name: string): Slot | undefined {
    return this.slots.get(name) ?? this.parent?.find(name);
  }
}

/** Declares the names of `var` statements in nested blocks, which belong to the function. */
export function declareVars(node: Node | null | undefined, scope: Scope): void {
  if (!node) return;
  if (node.type === 'VariableDeclaration') {
    if (node['kind'] !== 'var') return;
    for (const { id } of node['declarations']) declarePattern(id, scope);
    return;
  }
  for (const key of ['body', 'consequent', 'alternate', 'block', 'finalizer', 'init', 'left']) {
    const child = node[key] as Node | Node[] | undefined;
    if (Array.isArray(child)) for (const one of child) declareVars(one, scope);
    else if (child && /Statement$|Declaration$/.test(child.type)) declareVars(child, scope);
  }
  if (node['handler']) declareVars(node['handler'].body, scope);
  for (const one of (node['cases'] as Node[] | undefined) ?? []) declareVars(one, scope);
}

/** Declares the names of a pattern. */
export function declarePattern(pattern: Node, scope: Scope): void {
  for (const name of namesIn(pattern)) scope.declare(name);
}

/** The names that a pattern declares. */
export function namesIn(pattern: Node): string[] {
  switch (pattern?.type) {
    case 'Identifier':
      return [pattern['name']];
    case 'AssignmentPattern':
      return namesIn(pattern['left']);
    case 'RestElement':
      return namesIn(pattern['argument']);
    case 'TSParameterProperty':
      return namesIn(pattern['parameter']);
    case 'ObjectPattern':
      return (pattern['properties'] as Node[]).flatMap((p) => namesIn(p['value'] ?? p));
    case 'ArrayPattern':
      return (pattern['elements'] as Node[]).filter(Boolean).flatMap(namesIn);
    default:
      return [];
  }
}

/** The text of an identifier or literal key. */
export function nameOf(node: Node): string {
  return String(node['name'] ?? node['value'] ?? '');
}

export function slotAt(slot: Slot, { start, end }: Node): Expr {
  return { op: 'slot', slot, at: start, end };
}

export function assign(target: Expr, value: Expr, { start, end }: Node, isAdded = false): Expr {
  return { op: 'assign', target, value, isAdded, at: start, end };
}

export function getOf(of: Expr, key: string, { start, end }: Node): Expr {
  return { op: 'get', of, key: { op: 'text', text: key, at: start, end }, at: start, end };
}

export function anyOf(parts: readonly Expr[], { start, end }: Node): Expr {
  return { op: 'any', parts, at: start, end };
}

export function recordOf(entries: readonly Entry[], { start, end }: Node): Expr {
  return { op: 'record', entries, obj: undefined, at: start, end };
}

/** Puts secrets into the request of a handler. Its body is an instance: who passes it on passes on parts of it. */
export function fillRequest(request: Expr, node: Node): Expr[] {
  const { start: at, end } = node;
  const put = (of: Expr, key: string, value: Expr): Expr =>
    assign(getOf(of, key, node), value, node);
  const headers = getOf(request, 'headers', node);
  const key: Expr = { op: 'text', text: 'password', at, end };
  const members = recordOf([{ key, value: globalOf('req.body.password', node) }], node);
  return [
    put(headers, 'authorization', globalOf('req.headers', node)),
    put(headers, 'cookie', globalOf('req.headers', node)),
    put(request, 'body', { op: 'class', members, self: newSlot(), init: undefined, at, end }),
  ];
}

export function globalOf(name: string, { start, end }: Node): Expr {
  return { op: 'global', name, at: start, end };
}

export function callOf(callee: Expr, args: readonly Expr[], { start, end, type }: Node): Expr {
  return { op: 'call', callee, args, named: [], isNew: type === 'NewExpression', at: start, end };
}

export function importOf(node: Node): Expr {
  const module = String(node['source'].value);
  return { op: 'import', module, level: 0, at: node.start, end: node.end };
}

/** The loop variable of a loop over `of`; the keys of an object are part of its content. */
export function itemOf(of: Expr, node: Node, isKey: boolean): Expr {
  const { start: at, end } = node;
  const any: Expr = { op: 'get', of, key: { op: 'none', at, end }, at, end };
  return isKey ? { op: 'concat', parts: [{ op: 'none', at, end }, of], at, end } : any;
}
