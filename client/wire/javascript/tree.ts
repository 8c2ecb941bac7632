/** The syntax tree of a JavaScript or TypeScript file, with the way up from each node. Pure. */
import { wholeJavaScript, type SyntaxNode } from '../../../scan/parse/parse-javascript.ts';

export interface Tree {
  readonly path: string;
  readonly text: string;
  readonly program: SyntaxNode;
  /** Every node, parents before children. */
  readonly nodes: readonly SyntaxNode[];
  readonly parents: ReadonlyMap<SyntaxNode, SyntaxNode>;
}

/** `undefined` for a text with a syntax error, or one that is too large or nested too deeply. */
export function readTree(path: string, text: string): Tree | undefined {
  const program = wholeJavaScript(path, text);
  if (program === undefined) return undefined;
  const parents = new Map<SyntaxNode, SyntaxNode>();
  const nodes: SyntaxNode[] = [program];
  // The list grows during the loop.
  for (const node of nodes) {
    for (const child of childrenOf(node)) {
      parents.set(child, node);
      nodes.push(child);
    }
  }
  return { path, text, program, nodes, parents };
}

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  return Object.keys(node).flatMap((key) => {
    const value = node[key];
    if (key === 'loc') return [];
    return Array.isArray(value)
      ? (value as unknown[]).filter(isNode)
      : isNode(value)
        ? [value]
        : [];
  });
}

function isNode(value: unknown): value is SyntaxNode {
  if (typeof value !== 'object' || value === null) return false;
  const { type, start } = value as Partial<SyntaxNode>;
  return typeof type === 'string' && typeof start === 'number';
}

/** The child of `node` in `field`. */
export function fieldOf(node: SyntaxNode | undefined, field: string): SyntaxNode | undefined {
  const value = node?.[field];
  return isNode(value) ? value : undefined;
}

/** The children of `node` in the list `field`. */
export function listOf(node: SyntaxNode | undefined, field: string): SyntaxNode[] {
  const value = node?.[field];
  return Array.isArray(value) ? (value as unknown[]).filter(isNode) : [];
}

/** The name of an identifier. */
export function identifierOf(node: SyntaxNode | undefined): string | undefined {
  return node?.type === 'Identifier' ? String(node['name']) : undefined;
}

/** The text of a string, and of a template without expressions. */
export function stringOf(node: SyntaxNode | undefined): string | undefined {
  if (node?.type === 'Literal' && typeof node['value'] === 'string') return node['value'];
  if (node?.type !== 'TemplateLiteral') return undefined;
  const quasis = listOf(node, 'quasis');
  const value = quasis[0]?.['value'] as { readonly cooked?: string | null } | undefined;
  return quasis.length === 1 ? (value?.cooked ?? undefined) : undefined;
}

/** `node` without assertions of types and parentheses around it. */
export function bare(node: SyntaxNode | undefined): SyntaxNode | undefined {
  let inner = node;
  while (inner !== undefined && WRAPPERS.has(inner.type)) inner = fieldOf(inner, 'expression');
  return inner;
}

const WRAPPERS = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSTypeAssertion',
  'ParenthesizedExpression',
]);

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

export function isFunction(node: SyntaxNode | undefined): boolean {
  return node !== undefined && FUNCTIONS.has(node.type);
}

/** The statements of a program, a block, or the body of a function. */
export function statementsOf(node: SyntaxNode | undefined): SyntaxNode[] {
  if (node === undefined) return [];
  if (isFunction(node)) return statementsOf(fieldOf(node, 'body'));
  return ['Program', 'BlockStatement', 'StaticBlock'].includes(node.type)
    ? listOf(node, 'body')
    : [];
}

/** Names that an import, a declaration or a pattern binds. */
export function boundNames(node: SyntaxNode | undefined): string[] {
  if (node === undefined) return [];
  const name = identifierOf(node);
  if (name !== undefined) return [name];
  switch (node.type) {
    case 'ImportDeclaration':
      return listOf(node, 'specifiers').flatMap((one) => boundNames(fieldOf(one, 'local')));
    case 'VariableDeclaration':
      return listOf(node, 'declarations').flatMap((one) => boundNames(fieldOf(one, 'id')));
    case 'ExportNamedDeclaration':
    case 'ExportDefaultDeclaration':
      return boundNames(fieldOf(node, 'declaration'));
    case 'ObjectPattern':
      return listOf(node, 'properties').flatMap((one) =>
        boundNames(fieldOf(one, 'value') ?? fieldOf(one, 'argument')),
      );
    case 'ArrayPattern':
      return listOf(node, 'elements').flatMap(boundNames);
    case 'AssignmentPattern':
      return boundNames(fieldOf(node, 'left'));
    case 'RestElement':
      return boundNames(fieldOf(node, 'argument'));
    case 'TSParameterProperty':
      return boundNames(fieldOf(node, 'parameter'));
    default:
      return node.type.endsWith('Declaration') ? boundNames(fieldOf(node, 'id')) : [];
  }
}
