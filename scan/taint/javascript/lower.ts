/** Lowers JavaScript and TypeScript to the IR: statements, patterns and functions. */
import type { Program } from '../../parse/parse-javascript.ts';
import { WALLET_PARAMETER, WALLET_SOURCE } from '../api.ts';
import type { Expr, Func, Module } from '../ir.ts';
import { nameValue, newSlot, type Slot } from '../value.ts';
import {
  Scope,
  anyOf,
  assign,
  declarePattern,
  declareVars,
  fillRequest,
  getOf,
  globalOf,
  importOf,
  itemOf,
  nameOf,
  slotAt,
  type Node,
} from './nodes.ts';
import { lowerExport, lowerExports, lowerImport, type Lowering } from './modules.ts';
import { lowerExpression } from './lower-expression.ts';

/** The IR of a file. */
export function lowerJavaScript(path: string, program: Program): Module {
  const lowering = new JavaScriptLowerer();
  // Outside functions `this` holds the globals of a script.
  const top = new Scope(undefined, { value: nameValue('$globals') });
  const body: Expr[] = [];
  lowering.statements(program.body as readonly Node[], top, body, newSlot());
  const { calls, funcs, exports } = lowering;
  return { path, language: 'javascript', isLarge: false, calls, body, funcs, exports };
}

/** No parameter of JavaScript has a name for its callers. */
const NO_NAMES: ReadonlyMap<string, Slot> = new Map();

class JavaScriptLowerer implements Lowering {
  readonly funcs: Func[] = [];
  readonly exports: Slot = newSlot();
  calls = 0;

  /** Declares the names of the statements, then lowers them. */
  statements(nodes: readonly Node[], scope: Scope, out: Expr[], result: Slot): void {
    this.#declareIn(nodes, scope, scope);
    for (const node of nodes) this.statement(node, scope, out, result);
  }

  expression(node: Node | null | undefined, scope: Scope): Expr {
    if (node === null || node === undefined) return { op: 'none', at: 0, end: 0 };
    const expr = lowerExpression(this, node, scope);
    if (expr.op === 'call') this.calls += 1;
    return expr;
  }

  statement(node: Node | null | undefined, scope: Scope, out: Expr[], result: Slot): void {
    if (node === null || node === undefined) return;
    switch (node.type) {
      case 'ExpressionStatement':
        out.push(this.expression(node['expression'], scope));
        return;
      case 'VariableDeclaration':
        for (const { id, init } of node['declarations']) {
          if (init === null) continue;
          this.bind(id, this.expression(init, scope), scope, out);
        }
        return;
      case 'FunctionDeclaration':
      case 'ClassDeclaration': {
        const value = this.expression(node, scope);
        if (node['id'] !== null) this.bind(node['id'], value, scope, out);
        else out.push(value);
        return;
      }
      case 'ReturnStatement':
        if (node['argument'] !== null) {
          out.push(assign(slotAt(result, node), this.expression(node['argument'], scope), node));
        }
        return;
      case 'BlockStatement':
      case 'StaticBlock':
        this.statements(node['body'], new Scope(scope, scope.self), out, result);
        return;
      case 'ForStatement':
      case 'ForInStatement':
      case 'ForOfStatement': {
        const inner = new Scope(scope, scope.self);
        const head = node['init'] ?? node['left'];
        if (head?.type === 'VariableDeclaration') this.#declareIn([head], inner, inner);
        if (node.type === 'ForStatement') {
          if (head?.type === 'VariableDeclaration') this.statement(head, inner, out, result);
          else if (head) out.push(this.expression(head, inner));
          if (node['test']) out.push(this.expression(node['test'], inner));
          if (node['update']) out.push(this.expression(node['update'], inner));
        } else {
          const of = this.expression(node['right'], inner);
          const target = head.type === 'VariableDeclaration' ? head.declarations[0].id : head;
          this.bind(target, itemOf(of, node, node.type === 'ForInStatement'), inner, out);
        }
        this.statement(node['body'], inner, out, result);
        return;
      }
      case 'IfStatement':
        out.push(this.expression(node['test'], scope));
        this.statement(node['consequent'], scope, out, result);
        this.statement(node['alternate'], scope, out, result);
        return;
      case 'TryStatement': {
        this.statement(node['block'], scope, out, result);
        const { handler } = node;
        if (handler) {
          const inner = new Scope(scope, scope.self);
          if (handler.param) declarePattern(handler.param, inner);
          this.statement(handler.body, inner, out, result);
        }
        this.statement(node['finalizer'], scope, out, result);
        return;
      }
      case 'SwitchStatement': {
        out.push(this.expression(node['discriminant'], scope));
        const inner = new Scope(scope, scope.self);
        const all = (node['cases'] as Node[]).flatMap((c) => c['consequent'] as Node[]);
        this.statements(all, inner, out, result);
        return;
      }
      case 'ImportDeclaration':
        lowerImport(node, scope, out);
        return;
      case 'ExportNamedDeclaration':
        lowerExports(this, node, scope, out, result);
        return;
      case 'ExportDefaultDeclaration': {
        const { declaration } = node;
        const isNamed = declaration.type.endsWith('Declaration') && declaration.id;
        if (isNamed) this.statement(declaration, scope, out, result);
        const value = isNamed
          ? this.expression(declaration.id, scope)
          : this.expression(declaration, scope);
        lowerExport(this, 'default', value, node, out);
        return;
      }
      case 'ExportAllDeclaration': {
        const from = importOf(node);
        if (node['exported']) lowerExport(this, nameOf(node['exported']), from, node, out);
        else out.push(assign(slotAt(this.exports, node), from, node));
        return;
      }
      case 'TSExportAssignment':
        out.push(
          assign(slotAt(this.exports, node), this.expression(node['expression'], scope), node),
        );
        return;
      case 'TSImportEqualsDeclaration': {
        const { moduleReference } = node;
        const module = moduleReference?.expression?.value;
        if (typeof module === 'string') {
          const from: Expr = { op: 'import', module, level: 0, at: node.start, end: node.end };
          this.bind(node['id'], from, scope, out);
        }
        return;
      }
      default:
        this.#children(node, scope, out, result);
    }
  }

  /** Loops, labels, `with`, TypeScript modules: their parts are statements or expressions. */
  #children(node: Node, scope: Scope, out: Expr[], result: Slot): void {
    if (/^TS(?!Module)|^(?:Empty|Break|Continue|Debugger)/.test(node.type)) return;
    for (const key of ['test', 'object', 'argument', 'discriminant']) {
      if (node[key]) out.push(this.expression(node[key], scope));
    }
    const { body } = node;
    if (Array.isArray(body)) this.statements(body, new Scope(scope, scope.self), out, result);
    else if (body) this.statement(body, scope, out, result);
  }

  /** Stores `value` into a pattern: a name, a member, or parts of an object or list. */
  bind(pattern: Node, value: Expr, scope: Scope, out: Expr[]): void {
    switch (pattern.type) {
      case 'AssignmentPattern': {
        const both = anyOf([value, this.expression(pattern['right'], scope)], pattern);
        this.bind(pattern['left'], both, scope, out);
        return;
      }
      case 'ObjectPattern': {
        const whole = this.#once(value, pattern, out);
        for (const property of pattern['properties'] as Node[]) {
          // After an error the parser may leave other nodes without a key, as for a spread in a pattern.
          if (property['key'] === undefined) {
            if (property['argument'] !== undefined) {
              this.bind(property['argument'], whole, scope, out);
            }
            continue;
          }
          const { start: at, end } = property;
          const part: Expr = { op: 'get', of: whole, key: this.key(property, scope), at, end };
          this.bind(property['value'], part, scope, out);
        }
        return;
      }
      case 'ArrayPattern': {
        const whole = this.#once(value, pattern, out);
        (pattern['elements'] as (Node | null)[]).forEach((element, index) => {
          if (element === null) return;
          if (element.type === 'RestElement') this.bind(element['argument'], whole, scope, out);
          else this.bind(element, getOf(whole, String(index), element), scope, out);
        });
        return;
      }
      case 'TSParameterProperty':
        this.bind(pattern['parameter'], value, scope, out);
        return;
      default:
        out.push(assign(this.expression(pattern, scope), value, pattern));
    }
  }

  #once(value: Expr, node: Node, out: Expr[]): Expr {
    if (value.op === 'slot') return value;
    const slot = slotAt(newSlot(), node);
    out.push(assign(slot, value, node));
    return slot;
  }

  /** The key of a property or member. */
  key(node: Node, scope: Scope): Expr {
    const key = node['key'] ?? node['property'];
    if (node['computed'] === true) return this.expression(key, scope);
    return { op: 'text', text: nameOf(key), at: key.start, end: key.end };
  }

  /** @param self what `this` is inside; a function's own when it is not an arrow */
  func(node: Node, scope: Scope, self: Slot): Func {
    const inner = new Scope(scope, self);
    const body: Expr[] = [];
    const result = newSlot();
    inner.result = result;
    const params: Slot[] = [];
    let rest: Slot | undefined;
    const answers = node['params'].some((one: Node) => /^_?re(?:s|sponse|ply)$/.test(one['name']));
    for (const param of node['params'] as Node[]) {
      declarePattern(param, inner);
      const slot = newSlot();
      if (param.type === 'RestElement') rest = slot;
      else params.push(slot);
      const pattern = param.type === 'RestElement' ? param['argument'] : param;
      this.bind(pattern, slotAt(slot, param), inner, body);
      const named = param.type === 'AssignmentPattern' ? param['left'] : param;
      const name = String(named.name);
      if (WALLET_PARAMETER.test(name))
        body.push(assign(slotAt(slot, param), globalOf(WALLET_SOURCE, named), param));
      if (answers && /^_?req(?:uest)?$/.test(name))
        body.push(...fillRequest(slotAt(slot, param), param));
    }
    if (node['id'] && node.type === 'FunctionExpression') inner.declare(node['id'].name);
    const block = node['body'];
    if (block?.type === 'BlockStatement') this.statements(block.body, inner, body, result);
    else if (block) body.push(assign(slotAt(result, block), this.expression(block, inner), block));
    // A list that grew has memory for sixteen more.
    const func: Func = { params, rest, named: NO_NAMES, body: body.slice(), self, result };
    this.funcs.push(func);
    return func;
  }

  #declareIn(nodes: readonly Node[], scope: Scope, varScope: Scope): void {
    for (const node of nodes) {
      const inner = node.type.startsWith('Export') ? (node['declaration'] as Node | null) : node;
      if (inner === null || inner === undefined) continue;
      if (inner.type === 'VariableDeclaration') {
        for (const { id } of inner['declarations']) declarePattern(id, scope);
      } else if (/^(?:Function|Class|TSEnum)Declaration$/.test(inner.type)) {
        if (inner['id']) scope.declare(inner['id'].name);
      } else {
        declareVars(inner, varScope);
      }
    }
  }
}
