/** A JavaScript or TypeScript file as wiring sees it. Pure. */
import type { SyntaxNode } from '../../../scan/parse/parse-javascript.ts';
import type { WireAnchor } from '../../../format/wiring/wire-info.ts';
import type { Code, ListRange } from '../code.ts';
import {
  bare,
  boundNames,
  fieldOf,
  identifierOf,
  isFunction,
  listOf,
  readTree,
  statementsOf,
  stringOf,
  type Tree,
} from './tree.ts';

/** `undefined` for a text with a syntax error. */
export function readJavaScript(
  path: string,
  text: string,
): (Code & { readonly tree: Tree }) | undefined {
  const tree = readTree(path, text);
  if (tree === undefined) return undefined;
  const body = statementsOf(tree.program);
  const imports = body.filter((node) => isImport(node));
  return {
    path,
    text,
    tree,
    // A function has the statements of its body, which is a node of its own.
    blocks: tree.nodes
      .filter((node) => !isFunction(node))
      .map(statementsOf)
      .filter((statements) => statements.length > 0),
    imports,
    top: topOf(text, body),
    names: new Set(body.flatMap(boundNames)),
    strings: tree.nodes.flatMap((node) => {
      const isModule = fieldOf(tree.parents.get(node), 'source') === node;
      return isModule ? [] : (stringOf(node) ?? []);
    }),
    lists: (anchor) => listsOf(tree, anchor),
  };
}

/** `import ... from`, and a `require()` that a top-level constant is made of. */
function isImport(node: SyntaxNode): boolean {
  if (node.type === 'ImportDeclaration' || node.type === 'TSImportEqualsDeclaration') return true;
  if (node.type !== 'VariableDeclaration') return false;
  return listOf(node, 'declarations').every(
    (one) => requiredBy(fieldOf(one, 'init')) !== undefined,
  );
}

/** The module that `require('x')`, `require('x').y` or `require('x')()` names. */
export function requiredBy(node: SyntaxNode | undefined): string | undefined {
  let inner = bare(node);
  while (inner?.type === 'MemberExpression') inner = fieldOf(inner, 'object');
  if (inner?.type !== 'CallExpression') return undefined;
  const callee = fieldOf(inner, 'callee');
  if (identifierOf(callee) === 'require') return stringOf(listOf(inner, 'arguments')[0]);
  return callee?.type === 'CallExpression' || callee?.type === 'MemberExpression'
    ? requiredBy(callee)
    : undefined;
}

/** After a first line for the shell and directives such as "use strict". */
function topOf(text: string, body: readonly SyntaxNode[]): number {
  const directives = body.filter((node) => typeof node['directive'] === 'string');
  const last = directives.at(-1);
  const after = last === undefined ? (/^#!.*/.exec(text)?.[0].length ?? 0) : last.end;
  if (after === 0) return text.startsWith('\u{FEFF}') ? 1 : 0;
  const end = text.indexOf('\n', after);
  return end < 0 ? text.length : end + 1;
}

function listsOf(tree: Tree, { kind, name = '' }: WireAnchor): ListRange[] {
  if (kind !== 'list') return [];
  return declaredAs(tree, name).map((node) => ({
    start: node.start + 1,
    end: node.end - 1,
    elements: listOf(node, 'elements'),
  }));
}

function declaredAs(tree: Tree, name: string): SyntaxNode[] {
  return tree.nodes.flatMap((node) => {
    const isIt = node.type === 'VariableDeclarator' && identifierOf(fieldOf(node, 'id')) === name;
    return isIt ? arrayOf(fieldOf(node, 'init')) : [];
  });
}

function arrayOf(node: SyntaxNode | undefined): SyntaxNode[] {
  const inner = bare(node);
  // A hole is no element: the list is not one of values.
  const hasHole = (inner?.['elements'] as unknown[] | undefined)?.includes(null) === true;
  return inner?.type === 'ArrayExpression' && !hasHole ? [inner] : [];
}
