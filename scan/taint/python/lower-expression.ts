/** Lowers Python expressions to the IR. */
import type { SyntaxNode } from '@lezer/common';
import type { Entry, Expr } from '../ir.ts';
import { PythonScope, at, callOf, childrenOf, getAny, getOf, type Lowering } from './nodes.ts';

/** The IR of an expression; `none` for one that carries no data. */
export function lowerPythonExpression(
  lowering: Lowering,
  node: SyntaxNode,
  scope: PythonScope,
): Expr {
  const place = at(node);
  const lower = (inner: SyntaxNode): Expr => lowering.expression(inner, scope);
  const parts = (): Expr[] => operandsOf(node).map(lower);
  switch (node.name) {
    case 'VariableName':
      return nameAt(lowering, node, scope);
    case 'String':
      return { ...place, op: 'text', text: readPythonString(lowering.textOf(node)) };
    case 'Number':
      return {
        ...place,
        op: 'text',
        text: String(Number(lowering.textOf(node).replaceAll('_', ''))),
      };
    case 'FormatString':
    case 'ContinuedString':
      return { ...place, op: 'concat', parts: stringParts(lowering, node, scope) };
    case 'MemberExpression':
      return member(lowering, node, scope);
    case 'CallExpression':
      return call(lowering, node, scope);
    case 'BinaryExpression':
      return binary(lowering, node, lower);
    case 'UnaryExpression':
      return unary(lowering, node, lower);
    case 'ConditionalExpression':
      return { ...place, op: 'any', parts: parts() };
    case 'ParenthesizedExpression':
    case 'AwaitExpression':
    case 'YieldExpression':
      return parts()[0] ?? { ...place, op: 'none' };
    case 'TupleExpression':
    case 'ArrayExpression':
    case 'SetExpression':
      return { ...place, op: 'list', items: items(node, lower), obj: undefined };
    case 'DictionaryExpression':
      return dictionary(node, lower);
    case 'LambdaExpression':
      return { ...place, op: 'function', func: lowering.func(node, scope, undefined) };
    case 'NamedExpression': {
      const [target, value] = parts();
      if (target === undefined || value === undefined) return { ...place, op: 'none' };
      return { ...place, op: 'assign', target, value, isAdded: false };
    }
    case 'ArrayComprehensionExpression':
    case 'ComprehensionExpression':
    case 'SetComprehensionExpression':
    case 'DictionaryComprehensionExpression':
      return comprehension(lowering, node, scope);
    case 'Decorator':
      return { ...place, op: 'sequence', parts: parts() };
    default:
      return { ...place, op: 'none' };
  }
}

/** The child nodes without operators and punctuation. */
function operandsOf(node: SyntaxNode): SyntaxNode[] {
  return childrenOf(node).filter((n) => /^[A-Z]/.test(n.name) && !/Op$|^At$/.test(n.name));
}

function nameAt(lowering: Lowering, node: SyntaxNode, scope: PythonScope): Expr {
  const name = lowering.textOf(node);
  const slot = scope.find(name);
  if (slot !== undefined) return { ...at(node), op: 'slot', slot };
  const global: Expr = { ...at(node), op: 'global', name };
  if (lowering.stars.length === 0) return global;
  const parts = [global, ...lowering.stars.map((module) => getOf(module, name, node))];
  return { ...at(node), op: 'any', parts };
}

function stringParts(lowering: Lowering, node: SyntaxNode, scope: PythonScope): Expr[] {
  if (node.name === 'ContinuedString')
    return childrenOf(node).map((n) => lowering.expression(n, scope));
  const text = lowering.textOf(node);
  const quote = /^[a-z]*("""|'''|"|')/i.exec(text);
  const open = quote?.[0] ?? '';
  const parts: Expr[] = [];
  let from = node.from + open.length;
  const addText = (end: number): void => {
    const raw =
      open.toLowerCase().replace('f', '') + lowering.text.slice(from, end) + (quote?.[1] ?? '');
    parts.push({ at: from, end, op: 'text', text: readPythonString(raw) });
  };
  for (const child of childrenOf(node)) {
    if (child.name !== 'FormatReplacement') continue;
    if (child.from > from) addText(child.from);
    for (const inner of operandsOf(child).slice(0, 1))
      parts.push(lowering.expression(inner, scope));
    from = child.to;
  }
  const end = node.to - (quote?.[1]?.length ?? 0);
  if (end > from) addText(end);
  return parts;
}

function member(lowering: Lowering, node: SyntaxNode, scope: PythonScope): Expr {
  const place = at(node);
  const [of, ...rest] = operandsOf(node);
  if (of === undefined) return { ...place, op: 'none' };
  const whole = lowering.expression(of, scope);
  const name = node.getChild('PropertyName');
  if (name !== null) return getOf(whole, lowering.textOf(name), name);
  const isSlice = childrenOf(node).some((n) => n.name === ':');
  if (isSlice) {
    const isReversed = /\[\s*:\s*:\s*-\s*1\s*\]$/.test(lowering.textOf(node).slice(-20));
    return callOf(getOf(whole, isReversed ? '$reverse' : '$slice', node), [], node);
  }
  const [key] = rest;
  if (key === undefined) return getAny(whole, node);
  return { ...place, op: 'get', of: whole, key: lowering.expression(key, scope) };
}

function call(lowering: Lowering, node: SyntaxNode, scope: PythonScope): Expr {
  const place = at(node);
  const [callee] = operandsOf(node);
  const list = node.getChild('ArgList');
  const args: Expr[] = [];
  const named: Entry[] = [];
  const children = list === null ? [] : childrenOf(list);
  // `f(x for x in y)`: the arguments are a comprehension without brackets.
  if (list !== null && children.some((n) => n.name === 'for')) {
    args.push(comprehension(lowering, list, scope));
  } else {
    children.forEach((child, index) => {
      if (!/^[A-Z]/.test(child.name) || child.name === 'AssignOp') return;
      const [before, after] = [children[index - 1]?.name, children[index + 1]?.name];
      if (after === 'AssignOp') return;
      const value = lowering.expression(child, scope);
      const name = children[index - 2];
      if (before === 'AssignOp' && name !== undefined) {
        named.push({ key: { ...at(name), op: 'text', text: lowering.textOf(name) }, value });
      } else if (before === '**') named.push({ key: undefined, value });
      else if (before === '*') args.push({ ...at(child), op: 'spread', of: value });
      else args.push(value);
    });
  }
  if (callee === undefined) return { ...place, op: 'none' };
  return { ...place, op: 'call', callee: lowering.expression(callee, scope), args, named };
}

function binary(lowering: Lowering, node: SyntaxNode, lower: (n: SyntaxNode) => Expr): Expr {
  const place = at(node);
  const operator = childrenOf(node).find((n) => !/^[A-Z]/.test(n.name) || n.name.endsWith('Op'));
  const kind = operator?.name;
  const none: Expr = { ...place, op: 'none' };
  if (kind === 'CompareOp' || kind === 'in' || kind === 'not' || kind === 'is') {
    return { ...place, op: 'sequence', parts: [...operandsOf(node).map(lower), none] };
  }
  if (kind === 'and' || kind === 'or')
    return { ...place, op: 'any', parts: operandsOf(node).map(lower) };
  const sign = operator === undefined ? '' : operator.to - operator.from === 1 ? kind : '';
  const operands = chain(node).map(lower);
  // `Path.home() / '.ssh'`
  const isPath = operator !== undefined && lowering.textOf(operator) === '/';
  const slash: Expr = { ...place, op: 'text', text: '/' };
  const parts = isPath ? operands.flatMap((one) => [slash, one]).slice(1) : operands;
  const isXor = operator !== undefined && lowering.textOf(operator) === '^';
  if (isXor) return { ...place, op: 'xor', parts };
  if (sign === 'ArithOp') return { ...place, op: 'concat', parts };
  return { ...place, op: 'concat', parts: [none, ...parts] };
}

/** The operands of `a + b + c`, without recursion on its left side. */
function chain(node: SyntaxNode): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  let left = node;
  while (left.name === 'BinaryExpression') {
    const operator = left.firstChild?.nextSibling;
    const isSame = operator?.name === 'ArithOp' && operator.to - operator.from === 1;
    if (left !== node && !isSame) break;
    const [first, second] = operandsOf(left);
    if (first === undefined || second === undefined) break;
    found.push(second);
    left = first;
  }
  // Syntax with an error may lack an operand.
  return left === node ? operandsOf(node) : [left, ...found.reverse()];
}

function unary(lowering: Lowering, node: SyntaxNode, lower: (n: SyntaxNode) => Expr): Expr {
  const place = at(node);
  const [operand] = operandsOf(node);
  if (operand === undefined) return { ...place, op: 'none' };
  if (operand.name === 'Number')
    return { ...place, op: 'text', text: `-${lowering.textOf(operand)}` };
  return { ...place, op: 'sequence', parts: [lower(operand), { ...place, op: 'none' }] };
}

function items(node: SyntaxNode, lower: (n: SyntaxNode) => Expr): Expr[] {
  return operandsOf(node).map((child): Expr => {
    const isSpread = child.prevSibling?.name === '*';
    return isSpread ? { ...at(child), op: 'spread', of: lower(child) } : lower(child);
  });
}

function dictionary(node: SyntaxNode, lower: (n: SyntaxNode) => Expr): Expr {
  const entries: Entry[] = [];
  let key: Expr | undefined;
  for (const child of childrenOf(node)) {
    if (!/^[A-Z]/.test(child.name)) continue;
    if (child.prevSibling?.name === '**') entries.push({ key: undefined, value: lower(child) });
    else if (child.prevSibling?.name === ':') entries.push({ key, value: lower(child) });
    else key = lower(child);
  }
  return { ...at(node), op: 'record', entries, obj: undefined };
}

function comprehension(lowering: Lowering, node: SyntaxNode, scope: PythonScope): Expr {
  const children = childrenOf(node);
  const out: Expr[] = [];
  const inner = new PythonScope(scope);
  children.forEach((child, index) => {
    if (child.name !== 'in') return;
    const source = children[index + 1];
    if (source === undefined) return;
    const item = getAny(lowering.expression(source, scope), source);
    for (let before = index - 1; before >= 0 && children[before]!.name !== 'for'; before -= 1) {
      for (const name of namesIn(children[before]!)) {
        const slot = inner.declare(lowering.textOf(name));
        const target: Expr = { ...at(name), op: 'slot', slot };
        out.push({ ...at(name), op: 'assign', target, value: item, isAdded: false });
      }
    }
  });
  const first = children.findIndex((n) => n.name === 'for');
  const made = children.slice(0, first).filter((n) => /^[A-Z]/.test(n.name));
  const parts = made.map((n) => lowering.expression(n, inner));
  const list: Expr = { ...at(node), op: 'list', items: parts, obj: undefined };
  return { ...at(node), op: 'sequence', parts: [...out, list] };
}

function namesIn(node: SyntaxNode): SyntaxNode[] {
  return node.name === 'VariableName' ? [node] : childrenOf(node).flatMap(namesIn);
}

/** @param literal with prefix and quotes: `rb"\x41"`; bytes are read as Latin-1 */
export function readPythonString(literal: string): string {
  const match = /^([a-z]*)("""|'''|"|')/i.exec(literal);
  if (match === null) return literal;
  const [open, prefix = '', quote = ''] = match;
  const end = literal.endsWith(quote) ? literal.length - quote.length : literal.length;
  const body = literal.slice(open.length, Math.max(open.length, end));
  if (/r/i.test(prefix) || !body.includes('\\')) return body;
  return body.replace(
    /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{1,3})|(\r?\n)|([\s\S]))/g,
    (whole, x, u, long, octal, newline, other) => {
      const hex: string | undefined = x ?? u ?? long;
      if (hex !== undefined) {
        const code = parseInt(hex, 16);
        return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
      }
      if (octal !== undefined) return String.fromCharCode(parseInt(octal, 8));
      if (newline !== undefined) return '';
      return ESCAPES[other as string] ?? (other === '\\' || other === quote ? other : whole);
    },
  );
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  "'": "'",
  '"': '"',
  a: '\u0007',
  b: '\b',
  f: '\f',
  v: '\v',
};
