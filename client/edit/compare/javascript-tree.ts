/** The canonical form of a syntax tree of JavaScript or TypeScript, and that of JSON, with comments or without. Pure. */
import { canonicalNumber, canonicalString } from './literal.ts';

export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly extra?: {
    readonly raw?: string;
    readonly parenthesized?: boolean;
    readonly parenStart?: number;
  };
  readonly [key: string]: unknown;
}

interface CanonicalTree {
  readonly parts: readonly string[];
  /** Texts whose tokens do not count, because the tree has their meaning: end by start. */
  readonly skipped: ReadonlyMap<number, number>;
}

/** Where a node is, and what the parser derives from its text. */
const LEFT_OUT = new Set([
  'type',
  'start',
  'end',
  'loc',
  'range',
  'extra',
  'errors',
  'comments',
  'tokens',
]);

/** Nodes whose property `key` names a member: `a`, `'a'` and `"a"` are the same name. */
const NAMED_BY_KEY =
  /^(?:Object(?:Property|Method)|Class(?:Property|Method|AccessorProperty)|TS(?:PropertySignature|MethodSignature|DeclareMethod)|ImportAttribute)$/;

/** @param comments of the text, by offset */
export function canonicalTree(
  program: SyntaxNode,
  text: string,
  comments: readonly { readonly start: number; readonly end: number }[],
): CanonicalTree {
  const walk = new Walk(text, castEnds(text, comments));
  walk.node(program);
  return walk;
}

/** Where the comments end that make the parentheses after them a cast of TypeScript in JavaScript. */
function castEnds(
  text: string,
  comments: readonly { readonly start: number; readonly end: number }[],
): ReadonlySet<number> {
  const casts = comments.filter(({ start, end }) =>
    /^\/\*\*[^]*@(?:type|satisfies)\b/.test(text.slice(start, end)),
  );
  return new Set(casts.map(({ end }) => end));
}

class Walk implements CanonicalTree {
  readonly parts: string[] = [];
  readonly skipped = new Map<number, number>();
  readonly #text: string;
  readonly #casts: ReadonlySet<number>;

  constructor(text: string, casts: ReadonlySet<number>) {
    this.#text = text;
    this.#casts = casts;
  }

  node(node: SyntaxNode): void {
    const inner = withoutWrapper(node);
    if (inner !== undefined) {
      this.node(inner);
      return;
    }
    if (this.#isCast(node)) this.parts.push('cast');
    const literal = canonicalLiteral(node, this.#text);
    if (literal !== undefined) {
      this.parts.push(`${node.type} ${literal}`);
      return;
    }
    this.parts.push(`(${node.type}`);
    if (node.type === 'LogicalExpression') {
      this.parts.push(String(node['operator']));
      for (const operand of operandsOf(node)) this.node(operand);
      this.parts.push(')');
      return;
    }
    for (const key of Object.keys(node).sort()) {
      if (!LEFT_OUT.has(key)) this.#property(node, key, node[key]);
    }
    this.parts.push(')');
  }

  #property(node: SyntaxNode, key: string, value: unknown): void {
    if (value === undefined || value === null || value === false) return;
    this.parts.push(`.${key}`);
    if (Array.isArray(value)) {
      if (key === 'children' && isJsx(node)) this.#children(value as SyntaxNode[]);
      else this.#list(value);
    } else if (!isNode(value)) {
      this.parts.push(JSON.stringify(value));
    } else if (key === 'value' && node.type === 'JSXAttribute') {
      this.#attribute(value);
    } else {
      const name = key === 'key' || key === 'id' ? memberName(node, key, value) : undefined;
      // The name of a function depends on the parentheses of what it is assigned to.
      if (key === 'left' && node.type === 'AssignmentExpression' && isInParentheses(value)) {
        this.parts.push('parenthesized');
      }
      if (name === undefined) this.node(value);
      else this.parts.push(name);
    }
  }

  #list(values: readonly unknown[]): void {
    for (const value of values) {
      // A hole of an array is `null`.
      if (!isNode(value)) this.parts.push(JSON.stringify(value));
      else if (value.type !== 'EmptyStatement') this.node(value);
    }
    this.parts.push(']');
  }

  #children(children: readonly SyntaxNode[]): void {
    const { items, spaces } = canonicalChildren(children, this.#text);
    for (const item of items) {
      if (typeof item === 'string') this.parts.push(`text ${item}`);
      else this.node(item);
    }
    for (const { start, end } of spaces) this.skipped.set(start, end);
    this.parts.push(']');
  }

  #attribute(value: SyntaxNode): void {
    const text = canonicalAttribute(value);
    if (text === undefined) {
      this.node(value);
      return;
    }
    this.parts.push(`string ${text}`);
    this.skipped.set(value.start, value.end);
  }

  #isCast(node: SyntaxNode): boolean {
    const { parenthesized, parenStart } = node.extra ?? {};
    if (parenthesized !== true || parenStart === undefined || this.#casts.size === 0) return false;
    return this.#casts.has(this.#text.slice(0, parenStart).trimEnd().length);
  }
}

/** The type in parentheses, and the only member of a union: both mean the same without. */
function withoutWrapper(node: SyntaxNode): SyntaxNode | undefined {
  if (node.type === 'TSParenthesizedType') return node['typeAnnotation'] as SyntaxNode;
  if (node.type !== 'TSUnionType' && node.type !== 'TSIntersectionType') return undefined;
  const types = node['types'] as readonly SyntaxNode[];
  return types.length === 1 ? types[0] : undefined;
}

/** `a && (b && c)` is `a && b && c`. */
function operandsOf(node: SyntaxNode): SyntaxNode[] {
  const operands: SyntaxNode[] = [];
  const open = [node];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const isSame = next.type === node.type && next['operator'] === node['operator'];
    if (isSame) open.push(next['right'] as SyntaxNode, next['left'] as SyntaxNode);
    else operands.push(next);
  }
  return operands;
}

/** A literal as formatters leave it; `undefined` for other nodes. */
function canonicalLiteral(node: SyntaxNode, text: string): string | undefined {
  const raw = text.slice(node.start, node.end);
  switch (node.type) {
    case 'StringLiteral':
      return canonicalString(raw);
    // Its escapes count: formatters change only the quotes.
    case 'DirectiveLiteral':
      return raw.slice(1, -1);
    case 'NumericLiteral':
    case 'BigIntLiteral':
      return canonicalNumber(raw);
    case 'RegExpLiteral':
      return `/${String(node['pattern'])}/${String(node['flags']).split('').sort().join('')}`;
    case 'TemplateElement':
      return raw;
    default:
      return undefined;
  }
}

function memberName(node: SyntaxNode, key: string, value: SyntaxNode): string | undefined {
  const isName = key === 'key' ? NAMED_BY_KEY.test(node.type) : node.type === 'TSEnumMember';
  if (!isName || node['computed'] === true) return undefined;
  if (value.type === 'Identifier') return `name ${JSON.stringify(value['name'])}`;
  if (value.type === 'StringLiteral') return `name ${JSON.stringify(value['value'])}`;
  const number = value.type === 'NumericLiteral' ? (value.extra?.raw ?? '') : '';
  return /^(?:0|[1-9]\d{0,14})$/.test(number) ? `name "${number}"` : undefined;
}

function isInParentheses(node: SyntaxNode): boolean {
  return node.extra?.parenthesized === true;
}

function isJsx({ type }: SyntaxNode): boolean {
  return type === 'JSXElement' || type === 'JSXFragment';
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

/**
 * The meaning of JSX text: a compiler removes line breaks with the white space around them, so that formatters may
 * wrap text, and keep a space at the end of a line as `{" "}`.
 */
interface JsxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** The children without wrapping: texts as they are rendered, and other nodes. */
interface CanonicalChildren<Node> {
  readonly items: readonly (string | Node)[];
  /** The texts, and the spaces in braces, that became texts. */
  readonly spaces: readonly Node[];
}

/** @param text the source that the children are in */
function canonicalChildren<Node extends JsxNode>(
  children: readonly Node[],
  text: string,
): CanonicalChildren<Node> {
  const items: (string | Node)[] = [];
  const spaces: Node[] = [];
  for (const child of children) {
    const part =
      child.type === 'JSXText' ? rendered(text.slice(child.start, child.end)) : spaceIn(child);
    if (part === undefined) {
      items.push(child);
      continue;
    }
    spaces.push(child);
    const last = items.at(-1);
    if (typeof last === 'string') items[items.length - 1] = last + part;
    else if (part !== '') items.push(part);
  }
  return { items, spaces };
}

/** The string of an attribute, with or without braces; `undefined` for other values. */
function canonicalAttribute(value: JsxNode): string | undefined {
  const inner = value.type === 'JSXExpressionContainer' ? (value['expression'] as JsxNode) : value;
  if (inner.type !== 'StringLiteral') return undefined;
  // Braces with a comment are not the string alone.
  const isAlone = inner === value || value.end - value.start === inner.end - inner.start + 2;
  return isAlone ? String(inner['value']) : undefined;
}

/** Lines without the white space around their breaks, joined by a space. Entities stay as they are. */
function rendered(raw: string): string {
  const lines = raw.split('\n').map((line) => line.replaceAll('\t', ' '));
  const trimmed = lines.map((line, at) => {
    const start = at === 0 ? line : line.replace(/^ +/, '');
    return at === lines.length - 1 ? start : trimSpaces(start);
  });
  return trimmed.filter((line) => line !== '').join(' ');
}

function trimSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === ' ') end -= 1;
  return line.slice(0, end);
}

/** The white space of `{" "}`. */
function spaceIn(node: JsxNode): string | undefined {
  if (node.type !== 'JSXExpressionContainer') return undefined;
  const inner = node['expression'] as JsxNode;
  const value = inner.type === 'StringLiteral' ? inner['value'] : undefined;
  const isAlone = node.end - node.start === inner.end - inner.start + 2;
  return isAlone && typeof value === 'string' && /^ +$/.test(value) ? value : undefined;
}
