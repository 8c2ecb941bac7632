/** What is different between the frameworks of JavaScript: how an application is made, typed and given routes. Pure. */
import type { SyntaxNode } from '../../../scan/parse/parse-javascript.ts';
import {
  bare,
  boundNames,
  fieldOf,
  identifierOf,
  listOf,
  isFunction,
  readTree,
  statementsOf,
  stringOf,
  type Tree,
} from './tree.ts';
import type { WireAnchor } from '../../../format/wiring/wire-info.ts';
import type { Code, ListRange } from '../code.ts';

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
  /** Methods that take a plugin, where routes are in plugins: what is wired goes after the last call of one. */
  readonly plugs?: ReadonlySet<string>;
  /** Whether a function may take the application to load its plugins from folders. */
  readonly loads?: boolean;
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
  namesIn: (tree) => {
    const [own, open] = [
      readNames(tree, 'hono', ['Hono'], ['Hono']),
      readNames(tree, '@hono/zod-openapi', ['OpenAPIHono'], ['OpenAPIHono']),
    ];
    return {
      makers: new Set([...own.makers, ...open.makers]),
      types: new Set([...own.types, ...open.types]),
      modules: new Set([...own.modules, ...open.modules]),
    };
  },
  isMade: (node, { makers }) =>
    node.type === 'NewExpression' && makers.has(identifierOf(fieldOf(node, 'callee')) ?? ''),
  isType,
  verbs: new Set([...HTTP, 'on', 'mount', 'openapi']),
  usesMount: false,
};

export const FASTIFY: Framework = {
  ...EXPRESS,
  module: 'fastify',
  namesIn: (tree) => {
    const [own, named] = [[], ['fastify', 'Fastify']].map((names) =>
      readNames(tree, 'fastify', names, []),
    );
    return { ...own!, makers: new Set([...own!.makers, ...named!.makers]) };
  },
  isMade: (node, names) =>
    EXPRESS.isMade(node, names) ||
    (node.type === 'CallExpression' &&
      fieldOf(node, 'callee')?.type === 'CallExpression' &&
      requiredBy(fieldOf(node, 'callee')) === 'fastify'),
  plugs: new Set([...HTTP, 'register']),
  loads: true,
};

/** On Express, which `NestFactory.create()` makes unless it gets another adapter. */
export const NEST: Framework = {
  ...EXPRESS,
  module: '@nestjs/core',
  namesIn: (tree) => readNames(tree, '@nestjs/core', ['NestFactory'], []),
  isMade: (node, { makers }) => {
    const callee = node.type === 'CallExpression' ? fieldOf(node, 'callee') : undefined;
    const isFactory = makers.has(identifierOf(fieldOf(callee, 'object')) ?? '');
    return isFactory && identifierOf(fieldOf(callee, 'property')) === 'create';
  },
  plugs: new Set(['use', 'enableCors', 'set', 'disable', 'enable', 'useBodyParser']),
};

/**
 * As `HONO`, where an application is made by a function of the project, such as `createApp()`.
 * @param isFactory whether the export of a module makes one
 */
export function honoOf(
  isFactory: (from: string, specifier: string, name: string) => boolean,
): Framework {
  const makersIn = (tree: Tree): Set<string> => {
    const names = listOf(tree.program, 'body').flatMap((node) =>
      listOf(node, 'specifiers').flatMap((one) => {
        const local = identifierOf(fieldOf(one, 'local')) ?? '';
        const name = identifierOf(fieldOf(one, 'imported')) ?? 'default';
        const specifier = String(fieldOf(node, 'source')?.['value']);
        return isFactory(tree.path, specifier, name) ? [local] : [];
      }),
    );
    return new Set(names);
  };
  return {
    ...HONO,
    namesIn: (tree) => ({ makers: makersIn(tree), types: new Set(), modules: new Set() }),
    isMade: EXPRESS.isMade,
  };
}

/** The exports of a file that are functions which make an application, and return it. */
export function factoriesIn(tree: Tree): Set<string> {
  const { makers } = HONO.namesIn(tree);
  const found = new Map<string, string>();
  // A function may call one that stands behind it.
  for (let before = -1; before < found.size;) {
    before = found.size;
    for (const node of tree.nodes) {
      if (!isFunction(node) || !returnsOne(tree, node, makers, found)) continue;
      const parent = tree.parents.get(node);
      const name =
        identifierOf(fieldOf(node, 'id')) ??
        (parent?.type === 'VariableDeclarator' ? identifierOf(fieldOf(parent, 'id')) : undefined);
      const isDefault = parent?.type === 'ExportDefaultDeclaration';
      if (name !== undefined || isDefault)
        found.set(name ?? 'default', isDefault ? 'default' : name!);
    }
  }
  const later = listOf(tree.program, 'body').flatMap((node) => {
    const name =
      node.type === 'ExportDefaultDeclaration'
        ? identifierOf(fieldOf(node, 'declaration'))
        : undefined;
    return name !== undefined && found.has(name) ? ['default'] : [];
  });
  return new Set([...found.values(), ...later]);
}

function returnsOne(
  tree: Tree,
  made: SyntaxNode,
  makers: ReadonlySet<string>,
  known: ReadonlyMap<string, string>,
): boolean {
  const inside = tree.nodes.filter(({ start, end }) => start >= made.start && end <= made.end);
  const makes = inside.some((node) => {
    const name = identifierOf(fieldOf(node, 'callee')) ?? '';
    return node.type === 'NewExpression'
      ? makers.has(name)
      : node.type === 'CallExpression' && known.has(name);
  });
  return (
    makes &&
    (inside.some(({ type }) => type === 'ReturnStatement') ||
      fieldOf(made, 'body')?.type !== 'BlockStatement')
  );
}

function isType(node: SyntaxNode | undefined, { types, modules }: FrameworkNames): boolean {
  if (node?.type !== 'TSTypeReference') return false;
  const name = fieldOf(node, 'typeName');
  if (name?.type !== 'TSQualifiedName') return types.has(identifierOf(name) ?? '');
  const isOfModule = modules.has(identifierOf(fieldOf(name, 'left')) ?? '');
  return (
    isOfModule &&
    ['Express', 'Application', 'Hono', 'OpenAPIHono'].includes(
      identifierOf(fieldOf(name, 'right')) ?? '',
    )
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
