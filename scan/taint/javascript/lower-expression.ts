/** Lowers JavaScript expressions to the IR. */
import type { Entry, Expr, Func } from '../ir.ts';
import { newSlot, type Slot } from '../value.ts';
import { Scope, anyOf, assign, callOf, globalOf, recordOf, slotAt, type Node } from './nodes.ts';
import type { Lowering } from './modules.ts';

/** The IR of an expression; `none` for one that carries no data. */
export function lowerExpression(lowering: Lowering, node: Node, scope: Scope): Expr {
  const { start: at, end } = node;
  const lower = (inner: Node | null | undefined): Expr => lowering.expression(inner, scope);
  const all = (nodes: readonly (Node | null)[]): Expr[] => nodes.map((n) => lower(n));
  switch (node.type) {
    case 'Identifier':
    case 'JSXIdentifier':
      return nameAt(lowering, node, scope);
    case 'Literal':
      return literal(node);
    case 'TemplateLiteral':
      return { op: 'concat', parts: templateParts(node, lower), at, end };
    case 'TaggedTemplateExpression':
      return tagged(node, lower);
    case 'BinaryExpression':
      return binary(node, lower);
    case 'LogicalExpression':
      return anyOf(operands(node, ['||', '&&', '??']).map(lower), node);
    case 'ConditionalExpression': {
      const [test, ...either] = all([node['test'], node['consequent'], node['alternate']]);
      return { op: 'sequence', parts: [test!, anyOf(either, node)], at, end };
    }
    case 'AssignmentExpression':
      return assignment(lowering, node, scope);
    case 'MemberExpression':
    case 'JSXMemberExpression':
      if (isModuleExports(node, scope)) return slotAt(lowering.exports, node);
      return { op: 'get', of: lower(node['object']), key: lowering.key(node, scope), at, end };
    case 'CallExpression':
    case 'NewExpression':
      return callOf(lower(node['callee']), all(node['arguments']), node);
    case 'ImportExpression':
      return callOf(globalOf('import', node), [lower(node['source'])], node);
    case 'ArrayExpression':
      return { op: 'list', items: all(node['elements']), obj: undefined, at, end };
    case 'ObjectExpression':
      return recordOf(entries(lowering, node['properties'], scope, undefined), node);
    case 'ArrowFunctionExpression':
      return { op: 'function', func: lowering.func(node, scope, scope.self), at, end };
    case 'FunctionExpression':
    case 'FunctionDeclaration':
      if (!node['body']) return { op: 'none', at, end };
      return { op: 'function', func: lowering.func(node, scope, newSlot()), at, end };
    case 'ClassExpression':
    case 'ClassDeclaration':
      return classAt(lowering, node, scope);
    case 'ThisExpression':
    case 'Super':
      return slotAt(scope.self, node);
    case 'SpreadElement':
      return { op: 'spread', of: lower(node['argument']), at, end };
    case 'SequenceExpression':
      return { op: 'sequence', parts: all(node['expressions']), at, end };
    case 'UnaryExpression':
      return { op: 'sequence', parts: [lower(node['argument']), unary(node)], at, end };
    case 'YieldExpression':
      return assign(slotAt(scope.result ?? newSlot(), node), lower(node['argument']), node);
    case 'UpdateExpression':
    case 'AwaitExpression':
      return lower(node['argument']);
    case 'MetaProperty':
      return globalOf('import.meta', node);
    case 'JSXElement':
    case 'JSXFragment':
      return jsx(node, lower);
    default:
      return WRAPS.test(node.type) ? lower(node['expression']) : { op: 'none', at, end };
  }
}

/** What stands for the expression in it. */
const WRAPS =
  /^(?:JSXExpressionContainer|JSXSpreadChild|(?:Chain|Parenthesized|TSAs|TSSatisfies|TSNonNull|TSInstantiation|TypeCast)Expression|TSTypeAssertion)$/;

function isModuleExports(node: Node, scope: Scope): boolean {
  const { object, property } = node;
  const isNamed = object.type === 'Identifier' && object.name === 'module';
  const key = node['computed'] === true ? property.value : property.name;
  return isNamed && key === 'exports' && scope.find('module') === undefined;
}

function nameAt(lowering: Lowering, node: Node, scope: Scope): Expr {
  const name = node['name'] as string;
  const slot = scope.find(name) ?? (name === 'exports' ? lowering.exports : undefined);
  if (slot !== undefined) return slotAt(slot, node);
  return globalOf(name, node);
}

function literal(node: Node): Expr {
  const { start: at, end } = node;
  const value: unknown = node['value'];
  if (typeof value === 'string') return { op: 'text', text: value, at, end };
  if (typeof value === 'number') return { op: 'text', text: String(value), at, end };
  return { op: 'none', at, end };
}

function templateParts(node: Node, lower: (n: Node) => Expr): Expr[] {
  const parts: Expr[] = [];
  (node['quasis'] as Node[]).forEach((quasi, index) => {
    const text = String(quasi['value'].cooked ?? quasi['value'].raw);
    if (text !== '') parts.push({ op: 'text', text, at: quasi.start, end: quasi.end });
    const inner = (node['expressions'] as Node[])[index];
    if (inner !== undefined) parts.push(lower(inner));
  });
  return parts;
}

/** The tag gets the text and each of the values, and may return the text. */
function tagged(node: Node, lower: (n: Node) => Expr): Expr {
  const { start: at, end } = node;
  const callee = lower(node['tag']);
  const before: Expr[] = [];
  const kept = (value: Expr): Expr => {
    const slot = slotAt(newSlot(), node);
    before.push(assign(slot, value, node));
    return slot;
  };
  const values: Expr[] = [];
  const parts = templateParts(node['quasi'], (inner) => {
    values.push(kept(lower(inner)));
    return values.at(-1)!;
  });
  const text: Expr = { op: 'concat', parts, at, end };
  if (values.length === 0) return callOf(callee, [text], node);
  const whole = kept(text);
  const either = anyOf([callOf(callee, [whole, ...values], node), whole], node);
  return { op: 'sequence', parts: [...before, either], at, end };
}

function binary(node: Node, lower: (n: Node) => Expr): Expr {
  const { start: at, end } = node;
  const operator = node['operator'] as string;
  if (operator === '+') return { op: 'concat', parts: operands(node, ['+']).map(lower), at, end };
  const parts = operands(node, [operator]).map(lower);
  if (operator === '^') return { op: 'xor', parts, at, end };
  // The result of a comparison carries none of the data.
  const isComparison = /^[=!<>]|^in/.test(operator);
  const none: Expr = { op: 'none', at, end };
  if (isComparison) return { op: 'sequence', parts: parts.concat(none), at, end };
  return { op: 'concat', parts: [none, ...parts].slice(), at, end };
}

/** The operands of a chain `a + b + c`, without recursion on its left side. */
function operands(node: Node, operators: readonly string[]): Node[] {
  const found: Node[] = [];
  let left: Node = node;
  while (left.type === node.type && operators.includes(left['operator'])) {
    found.push(left['right']);
    left = left['left'];
  }
  return [left, ...found.reverse()];
}

function unary(node: Node): Expr {
  const { start: at, end } = node;
  const argument = node['argument'] as Node;
  if (node['operator'] === '-' && typeof argument['value'] === 'number') {
    return { op: 'text', text: String(-argument['value']), at, end };
  }
  return { op: 'none', at, end };
}

function assignment(lowering: Lowering, node: Node, scope: Scope): Expr {
  const { start: at, end } = node;
  const value = lowering.expression(node['right'], scope);
  const left = node['left'] as Node;
  if (left.type.endsWith('Pattern')) {
    const out: Expr[] = [];
    const once = slotAt(newSlot(), node);
    out.push(assign(once, value, node));
    lowering.bind(left, once, scope, out);
    return { op: 'sequence', parts: [...out, once], at, end };
  }
  const target = lowering.expression(left, scope);
  const operator = node['operator'] as string;
  if (operator === '=' || /^(?:\|\||&&|\?\?)=$/.test(operator)) return assign(target, value, node);
  const parts = [target, value];
  const mixed: Expr =
    operator === '^=' ? { op: 'xor', parts, at, end } : { op: 'concat', parts, at, end };
  return assign(target, mixed, node, true);
}

function entries(
  lowering: Lowering,
  properties: readonly Node[],
  scope: Scope,
  self: Slot | undefined,
): Entry[] {
  return properties.flatMap((property): Entry[] => {
    if (/^Spread|^ExperimentalSpread/.test(property.type)) {
      return [{ key: undefined, value: lowering.expression(property['argument'], scope) }];
    }
    if (!property['key']) return [];
    const key = lowering.key(property, scope);
    const { value } = property;
    if (value?.type === 'FunctionExpression') {
      if (!value.body) return [];
      const func: Func = lowering.func(value, scope, self ?? newSlot());
      const { start: at, end } = value;
      const expr: Expr = { op: 'function', func, at, end };
      if (property['kind'] !== 'get') return [{ key, value: expr }];
      return [{ key, value: anyOf([expr, slotAt(func.result, value)], value) }];
    }
    return [{ key, value: lowering.expression(value, scope) }];
  });
}

function classAt(lowering: Lowering, node: Node, scope: Scope): Expr {
  const { start: at, end } = node;
  const self = newSlot();
  const inner = new Scope(scope, self);
  const parts: Expr[] = [];
  if (node['superClass']) {
    // An instance of the base is part of each instance.
    const base = lowering.expression(node['superClass'], scope);
    parts.push(assign(slotAt(self, node), callOf(base, [], node), node));
  }
  const body = node['body'].body as Node[];
  const others = body.filter((m) => m['kind'] !== 'constructor');
  const members = recordOf(entries(lowering, others, inner, self), node);
  const constructor = body.find((m) => m['kind'] === 'constructor' && m['value']?.body);
  const init =
    constructor === undefined ? undefined : lowering.func(constructor['value'], inner, self);
  for (const block of body.filter((m) => m.type === 'StaticBlock')) {
    lowering.statement(block, inner, parts, newSlot());
  }
  const made: Expr = { op: 'class', members, self, init, at, end };
  return parts.length === 0 ? made : { op: 'sequence', parts: [...parts, made], at, end };
}

function jsx(node: Node, lower: (n: Node) => Expr): Expr {
  const { start: at, end } = node;
  const parts: Expr[] = [];
  for (const attribute of (node['openingElement']?.attributes ?? []) as Node[]) {
    const inner = attribute['value'] ?? attribute['argument'];
    if (inner) parts.push(lower(inner));
  }
  for (const child of (node['children'] ?? []) as Node[]) {
    if (child.type !== 'JSXText') parts.push(lower(child));
  }
  return { op: 'sequence', parts: [...parts, { op: 'none', at, end }], at, end };
}
