/** What is different between the frameworks of JavaScript: how an application is made, typed and given routes. Pure. */
import type { SyntaxNode } from '../../../scan/parse/parse-javascript.ts';
import { requiredBy } from './code.ts';
import { bare, boundNames, fieldOf, identifierOf, listOf, type Tree } from './tree.ts';

/** Names that the file has for parts of the framework. */
interface FrameworkNames {
  /** Names of the function or class that makes an application. */
  readonly makers: ReadonlySet<string>;
  /** Names of the types of an application. */
  readonly types: ReadonlySet<string>;
  /** Names of the whole module. */
  readonly modules: ReadonlySet<string>;
}

export interface Framework {
  readonly module: string;
  readonly namesIn: (tree: Tree) => FrameworkNames;
  readonly isMade: (node: SyntaxNode, names: FrameworkNames) => boolean;
  readonly isType: (node: SyntaxNode | undefined, names: FrameworkNames) => boolean;
  /** Methods that answer a path. */
  readonly verbs: ReadonlySet<string>;
  /** Whether `use` mounts a router, or only runs something before the routes. */
  readonly usesMount: boolean;
}

const HTTP = ['get', 'post', 'put', 'patch', 'delete', 'head', 'all', 'route'];

export const EXPRESS: Framework = {
  module: 'express',
  namesIn: (tree) => readNames(tree, 'express', [], ['Express', 'Application']),
  isMade: (node, { makers }) =>
    node.type === 'CallExpression' && makers.has(identifierOf(fieldOf(node, 'callee')) ?? ''),
  isType,
  verbs: new Set(HTTP),
  usesMount: true,
};

export const HONO: Framework = {
  module: 'hono',
  namesIn: (tree) => readNames(tree, 'hono', ['Hono'], ['Hono']),
  isMade: (node, { makers }) =>
    node.type === 'NewExpression' && makers.has(identifierOf(fieldOf(node, 'callee')) ?? ''),
  isType,
  verbs: new Set([...HTTP, 'on', 'mount']),
  usesMount: false,
};

function isType(node: SyntaxNode | undefined, { types, modules }: FrameworkNames): boolean {
  if (node?.type !== 'TSTypeReference') return false;
  const name = fieldOf(node, 'typeName');
  if (name?.type !== 'TSQualifiedName') return types.has(identifierOf(name) ?? '');
  const isOfModule = modules.has(identifierOf(fieldOf(name, 'left')) ?? '');
  return (
    isOfModule &&
    ['Express', 'Application', 'Hono'].includes(identifierOf(fieldOf(name, 'right')) ?? '')
  );
}

/** @param named exports that make an application; none: the default export does */
function readNames(
  tree: Tree,
  module: string,
  named: readonly string[],
  typed: readonly string[],
): FrameworkNames {
  const [makers, types, modules] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const node of listOf(tree.program, 'body')) {
    if (node.type === 'ImportDeclaration' && fieldOf(node, 'source')?.['value'] === module) {
      for (const one of listOf(node, 'specifiers')) {
        const local = identifierOf(fieldOf(one, 'local')) ?? '';
        const imported = identifierOf(fieldOf(one, 'imported'));
        if (imported === undefined) modules.add(local);
        if (imported === undefined ? named.length === 0 : named.includes(imported))
          makers.add(local);
        if (imported !== undefined && typed.includes(imported)) types.add(local);
        if (imported === 'default') makers.add(local);
      }
    }
    const isEquals = node.type === 'TSImportEqualsDeclaration';
    const external = fieldOf(fieldOf(node, 'moduleReference'), 'expression');
    if (isEquals && external?.['value'] === module) {
      const local = identifierOf(fieldOf(node, 'id')) ?? '';
      modules.add(local);
      if (named.length === 0) makers.add(local);
    }
    if (node.type !== 'VariableDeclaration') continue;
    for (const one of listOf(node, 'declarations')) {
      const init = bare(fieldOf(one, 'init'));
      if (init?.type !== 'CallExpression' || requiredBy(init) !== module) continue;
      const id = fieldOf(one, 'id');
      const name = identifierOf(id);
      if (name !== undefined) modules.add(name);
      if (name !== undefined && named.length === 0) makers.add(name);
      if (name === undefined)
        for (const local of boundNames(id)) if (named.includes(local)) makers.add(local);
    }
  }
  return { makers, types, modules };
}
