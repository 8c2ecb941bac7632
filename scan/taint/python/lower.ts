/** Lowers Python to the IR: statements, functions and classes. */
import type { SyntaxNode, Tree } from '@lezer/common';
import type { Expr, Func, Module } from '../ir.ts';
import { newSlot, type Slot } from '../value.ts';
import { lowerFunction } from './lower-function.ts';
import { declareIn, lowerPythonImport } from './lower-names.ts';
import {
  PythonScope,
  assign,
  at,
  callOf,
  childrenOf,
  getAny,
  getOf,
  isKeyword,
  slotAt,
  split,
  type Lowering,
} from './nodes.ts';
import { lowerPythonExpression } from './lower-expression.ts';

/** The IR of a file; every name at its top level is an export. */
export function lowerPython(path: string, text: string, tree: Tree): Module {
  const lowering = new PythonLowerer(text);
  const top = new PythonScope(undefined);
  const body: Expr[] = [];
  lowering.block(tree.topNode, top, body, undefined);
  for (const [name, slot] of top.slots) {
    const target = getOf(slotAt(lowering.exports, tree.topNode), name, tree.topNode);
    body.push(assign(target, slotAt(slot, tree.topNode), tree.topNode));
  }
  const { calls, funcs, exports } = lowering;
  return { path, language: 'python', isLarge: false, calls, body, funcs, exports };
}

class PythonLowerer implements Lowering {
  readonly text: string;
  readonly funcs: Func[] = [];
  readonly exports: Slot = newSlot();
  readonly stars: Expr[] = [];
  calls = 0;

  constructor(text: string) {
    this.text = text;
  }

  textOf({ from, to }: SyntaxNode): string {
    return this.text.slice(from, to);
  }

  expression(node: SyntaxNode, scope: PythonScope): Expr {
    const expr = lowerPythonExpression(this, node, scope);
    if (expr.op === 'call') this.calls += 1;
    return expr;
  }

  block(node: SyntaxNode, scope: PythonScope, out: Expr[], self: Slot | undefined): void {
    if (self === undefined) declareIn(this, node, scope);
    for (const child of childrenOf(node)) this.#statement(child, scope, out, self);
  }

  #statement(node: SyntaxNode, scope: PythonScope, out: Expr[], self: Slot | undefined): void {
    switch (node.name) {
      case 'ExpressionStatement':
      case 'DeleteStatement':
        for (const child of childrenOf(node)) out.push(this.expression(child, scope));
        return;
      case 'AssignStatement':
      case 'UpdateStatement':
        this.#assign(node, scope, out, self);
        return;
      case 'ReturnStatement':
      case 'YieldStatement': {
        const returned = childrenOf(node).filter((child) => !isKeyword(child));
        if (returned.length === 0) return;
        out.push(assign(slotAt(scope.result, node), this.#tuple(returned, node, scope), node));
        return;
      }
      case 'ImportStatement':
        lowerPythonImport(this, node, scope, out);
        return;
      case 'FunctionDefinition': {
        const name = node.getChild('VariableName');
        const func: Expr = { ...at(node), op: 'function', func: this.func(node, scope, self) };
        if (name !== null) this.#store(name, func, scope, out, self);
        return;
      }
      case 'DecoratedStatement': {
        // Each decorator is called with what it decorates.
        const made = childrenOf(node).find(({ name }) => name.endsWith('Definition'));
        if (made !== undefined) this.#statement(made, scope, out, self);
        const name = made?.getChild('VariableName');
        for (const decorator of node.getChildren('Decorator')) {
          const args = name ? [this.expression(name, scope)] : [];
          out.push(callOf(this.expression(decorator, scope), args, decorator));
          const func = this.funcs.at(-1);
          if (name && func && /property\s*$/.test(this.textOf(decorator)))
            this.#store(name, slotAt(func.result, name), scope, out, self);
        }
        return;
      }
      case 'ClassDefinition':
        this.#class(node, scope, out, self);
        return;
      case 'WithStatement':
      case 'ForStatement':
        this.#binding(node, scope, out, self);
        return;
      case 'ScopeStatement':
        return;
      default:
        // if, while, try, match, decorators, statement groups: conditions and bodies.
        for (const child of childrenOf(node)) {
          if (/^(?:Body|StatementGroup|MatchBody|MatchClause)$/.test(child.name)) {
            for (const inner of childrenOf(child)) this.#statement(inner, scope, out, self);
          } else if (/Statement|Definition/.test(child.name)) {
            this.#statement(child, scope, out, self);
          } else if (/Expression$|^Decorator$/.test(child.name)) {
            out.push(this.expression(child, scope));
          }
        }
    }
  }

  #assign(node: SyntaxNode, scope: PythonScope, out: Expr[], self: Slot | undefined): void {
    const groups = split(childrenOf(node), /^(?:AssignOp|UpdateOp)$/);
    const last = groups.pop() ?? [];
    const isAdded = node.name === 'UpdateStatement';
    let value = this.#tuple(last, node, scope);
    if (groups.length > 1 || (groups[0]?.length ?? 0) > 1) {
      const once = slotAt(newSlot(), node);
      out.push(assign(once, value, node));
      value = once;
    }
    for (const group of groups) {
      const targets = group.filter((n) => n.name !== ',' && n.name !== 'TypeDef');
      const [first] = targets;
      if (first !== undefined && targets.length === 1) {
        if (isAdded) {
          const target = this.expression(first, scope);
          const isXor = this.text.slice(first.to, last[0]?.from).includes('^');
          const parts = [target, value];
          const sum: Expr = { ...at(node), op: isXor ? 'xor' : 'concat', parts };
          out.push(assign(target, sum, node, true));
        } else this.#store(first, value, scope, out, self);
        continue;
      }
      targets.forEach((target, index) => {
        this.#store(target, getOf(value, String(index), target), scope, out, self);
      });
    }
  }

  #tuple(nodes: readonly SyntaxNode[], whole: SyntaxNode, scope: PythonScope): Expr {
    const items = nodes.filter((n) => n.name !== ',').map((n) => this.expression(n, scope));
    if (items.length === 1 && items[0] !== undefined) return items[0];
    return { ...at(whole), op: 'list', items, obj: undefined };
  }

  #store(
    target: SyntaxNode,
    value: Expr,
    scope: PythonScope,
    out: Expr[],
    self: Slot | undefined,
  ): void {
    if (/^(?:Tuple|Array|Parenthesized)Expression$/.test(target.name)) {
      const inner = childrenOf(target).filter((n) => !/^[()[\],]$/.test(n.name));
      inner.forEach((one, index) => {
        const part = inner.length === 1 ? value : getOf(value, String(index), one);
        this.#store(one, part, scope, out, self);
      });
      return;
    }
    const to =
      self !== undefined && target.name === 'VariableName'
        ? getOf(slotAt(self, target), this.textOf(target), target)
        : this.expression(target, scope);
    out.push(assign(to, value, target));
    // The body of a class can use the names that it defines.
    if (self !== undefined && target.name === 'VariableName') {
      out.push(assign(slotAt(scope.declare(this.textOf(target)), target), value, target));
    }
  }

  #class(node: SyntaxNode, scope: PythonScope, out: Expr[], outer: Slot | undefined): void {
    const self = newSlot();
    const inner = new PythonScope(scope);
    const body = node.getChild('Body');
    const bases = node.getChild('ArgList');
    if (bases !== null) {
      for (const base of childrenOf(bases)) {
        if (!/Name$|Expression$/.test(base.name)) continue;
        const made = callOf(this.expression(base, scope), [], base);
        out.push(assign(slotAt(self, node), made, node));
      }
    }
    // `url: str` in a data class.
    const entries = (body?.getChildren('AssignStatement') ?? []).flatMap((one) => {
      const name = one.getChild('TypeDef') === null ? null : one.getChild('VariableName');
      if (name === null) return [];
      const key: Expr = { ...at(name), op: 'text', text: this.textOf(name) };
      return [{ key, value: { ...at(name), op: 'none' } as const }];
    });
    const members: Expr = { ...at(node), op: 'record', entries, obj: undefined };
    out.push(assign(slotAt(self, node), members, node));
    if (body !== null) this.block(body, inner, out, self);
    const made: Expr = { ...at(node), op: 'class', members, self, init: undefined };
    const name = node.getChild('VariableName');
    if (name !== null) this.#store(name, made, scope, out, outer);
  }

  /** `with a as b` and `for b in a`: stores the value of `a` or an item of it into `b`. */
  #binding(node: SyntaxNode, scope: PythonScope, out: Expr[], self: Slot | undefined): void {
    const parts = childrenOf(node).filter((n) => n.name !== 'Body' && n.name !== ':');
    if (node.name === 'ForStatement') {
      const [targets = [], sources = []] = split(
        parts.filter((n) => !/^(?:for|async)$/.test(n.name)),
        /^in$/,
      );
      const item = getAny(this.#tuple(sources, node, scope), node);
      const names = targets.filter((n) => n.name !== ',');
      const isWhole =
        names.length === 1 || sources.some((n) => this.textOf(n).startsWith('enumerate('));
      names.forEach((target, index) => {
        const key: Expr = { ...at(target), op: 'text', text: String(index) };
        const part: Expr = { ...at(target), op: 'get', of: item, key };
        this.#store(target, isWhole ? item : part, scope, out, self);
      });
    } else {
      for (const group of split(
        parts.filter((n) => !/^(?:with|async|[()])$/.test(n.name)),
        /^,$/,
      )) {
        const [value, , target] = group;
        if (value === undefined) continue;
        const expr = this.expression(value, scope);
        if (target === undefined) out.push(expr);
        else {
          const entered = callOf(getOf(expr, '__enter__', value), [], value);
          this.#store(target, entered, scope, out, self);
        }
      }
    }
    for (const body of node.getChildren('Body')) {
      for (const inner of childrenOf(body)) this.#statement(inner, scope, out, self);
    }
  }

  func(node: SyntaxNode, outer: PythonScope, self: Slot | undefined): Func {
    const func = lowerFunction(this, node, outer, self);
    this.funcs.push(func);
    return func;
  }
}
