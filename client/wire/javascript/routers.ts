/** Which values of a file are routers: made there, or imported from a file of the project that makes one. Pure. */
import type { SyntaxNode } from '../../../scan/parse/parse-javascript.ts';
import { requiredBy } from './framework.ts';
import {
  bare,
  boundNames,
  fieldOf,
  identifierOf,
  isFunction,
  listOf,
  readTree,
  stringOf,
  type Tree,
} from './tree.ts';

/** Reads modules of the project. */
export interface Modules {
  /** The text of the file that `specifier` names in the file at `from`; `undefined` for packages. */
  readonly read: (
    from: string,
    specifier: string,
  ) => { readonly path: string; readonly text: string } | undefined;
}

const MAKES_ROUTER = /\bRouter\s*(?:<[^>()]{0,200}>)?\s*\(|\bnew\s+Hono\b/;
/** `export ... from './x'`, and imports that a file only passes on. */
const NAMED_MODULE =
  /(?:\bfrom|\brequire\s*\(|\bimport\s*\()\s*(['"])(\.{1,2}\/[^'"\n]{1,200}|[@~#][^'"\n]{0,200})\1/g;
const MAX_DEPTH = 3;
/** Characters of a function that are looked at. */
const MAX_DEFINITION = 2_000;
const MAX_FILES = 60;

export class Routers {
  readonly #modules: Modules;

  constructor(modules: Modules) {
    this.#modules = modules;
  }

  /** The module whose router `node` is, `''` for one of this file; `undefined` for no router. */
  moduleOf(tree: Tree, node: SyntaxNode | undefined): string | undefined {
    const inner = bare(node);
    if (inner === undefined) return undefined;
    const required = requiredBy(inner);
    if (required !== undefined) return this.#isRouter(tree, required) ? required : undefined;
    // `createRouter()`, `router.routes`, `new Routes().router`
    if (inner.type === 'CallExpression' || inner.type === 'NewExpression') {
      if (MAKES_ROUTER.test(`${textOf(tree, fieldOf(inner, 'callee'))}(`)) return '';
      return this.moduleOf(tree, fieldOf(inner, 'callee'));
    }
    if (inner.type === 'MemberExpression') return this.moduleOf(tree, fieldOf(inner, 'object'));
    const name = identifierOf(inner);
    return name === undefined ? undefined : this.#ofName(tree, name);
  }

  /** Whether the router that `node` is may answer a path that none of its routes has, or refuse it. */
  mayAnswerAll(tree: Tree, node: SyntaxNode | undefined, depth = 0): boolean {
    const module = this.moduleOf(tree, node);
    if (module === undefined || depth > MAX_DEPTH) return false;
    if (module === '') {
      const name = identifierOf(bare(node));
      return name !== undefined && this.#answersAll(tree, depth, name);
    }
    for (const [path, text] of this.#reach(tree.path, [module])) {
      if (!MAKES_ROUTER.test(text)) continue;
      const file = readTree(path, text);
      return file !== undefined && this.#answersAll(file, depth);
    }
    return false;
  }

  /** Where a function is defined: from there on, in this file or in the one that it is imported from. */
  definitionOf(tree: Tree, node: SyntaxNode | undefined): string | undefined {
    const inner = bare(node);
    const member = inner?.type === 'MemberExpression' ? inner : undefined;
    const name = identifierOf(member === undefined ? inner : fieldOf(member, 'object'));
    if (name === undefined) return undefined;
    let wanted = identifierOf(fieldOf(member, 'property')) ?? name;
    let text: string | undefined = tree.text;
    for (const one of listOf(tree.program, 'body')) {
      if (!boundNames(one).includes(name)) continue;
      const specifier =
        one.type === 'ImportDeclaration'
          ? String(fieldOf(one, 'source')?.['value'])
          : listOf(one, 'declarations').flatMap(
              (each) => requiredBy(fieldOf(each, 'init') ?? each) ?? [],
            )[0];
      if (specifier === undefined) continue;
      const bound = listOf(one, 'specifiers').find((each) =>
        boundNames(fieldOf(each, 'local')).includes(name),
      );
      if (member === undefined) wanted = identifierOf(fieldOf(bound, 'imported')) ?? wanted;
      const isWhole = member === undefined && bound?.type !== 'ImportSpecifier';
      text = this.#modules.read(tree.path, specifier)?.text;
      if (isWhole) return text?.slice(0, MAX_DEFINITION);
    }
    const defined = new RegExp(
      `(?:function|const|let|var|exports\\.|\\s)\\s*${wanted.replaceAll('$', String.raw`\$`)}\\s*[(=:<]`,
    );
    const at = text === undefined ? undefined : defined.exec(text)?.index;
    return at === undefined ? undefined : text?.slice(at, at + MAX_DEFINITION);
  }

  /** The texts of the file that `specifier` names and of those that it imports, as far as routers reach. */
  reachable(from: string, specifier: string): string[] {
    return [...this.#reach(from, [specifier]).values()];
  }

  /** The paths of the files that the file at `from` imports, itself or by way of another. */
  importedBy(from: string, text: string): Set<string> {
    const names = Array.from(text.matchAll(NAMED_MODULE), ([, , name = '']) => name);
    return new Set(this.#reach(from, names).keys());
  }

  /** Path to text. */
  #reach(from: string, specifiers: readonly string[]): Map<string, string> {
    const seen = new Map<string, string>();
    const visit = (folder: string, name: string, depth: number): void => {
      const file = this.#modules.read(folder, name);
      if (file === undefined || seen.has(file.path) || seen.size >= MAX_FILES) return;
      seen.set(file.path, file.text);
      if (depth === MAX_DEPTH) return;
      for (const [, , next = ''] of file.text.matchAll(NAMED_MODULE))
        visit(file.path, next, depth + 1);
    };
    for (const specifier of specifiers) visit(from, specifier, 0);
    return seen;
  }

  /** Middleware for all paths that is no router, or a route for every path. @param name of the router; default: any */
  #answersAll(tree: Tree, depth: number, name?: string): boolean {
    return tree.nodes.some((node) => {
      const callee = node.type === 'CallExpression' ? fieldOf(node, 'callee') : undefined;
      const method = identifierOf(fieldOf(callee, 'property'));
      const of = identifierOf(fieldOf(callee, 'object'));
      if (of === undefined || (name !== undefined && of !== name)) return false;
      if (!this.#isRouterName(tree, of)) return false;
      const [first, ...rest] = listOf(node, 'arguments');
      const path = stringOf(bare(first));
      if (path?.includes('*') === true) return rest.length > 0;
      if (method !== 'use' || (path !== undefined && path !== '/' && path !== '')) return false;
      const values = path === undefined ? listOf(node, 'arguments') : rest;
      return values.some((value) => {
        const isRouter = this.moduleOf(tree, value) !== undefined;
        return isRouter ? this.mayAnswerAll(tree, value, depth + 1) : !isHarmless(tree, value);
      });
    });
  }

  #isRouterName(tree: Tree, name: string): boolean {
    const node = { type: 'Identifier', name, start: 0, end: 0 } as unknown as SyntaxNode;
    return this.moduleOf(tree, node) === '';
  }

  #ofName(tree: Tree, name: string): string | undefined {
    for (const node of listOf(tree.program, 'body')) {
      if (!boundNames(node).includes(name)) continue;
      if (node.type === 'ImportDeclaration') {
        const specifier = String(fieldOf(node, 'source')?.['value']);
        return this.#isRouter(tree, specifier) ? specifier : undefined;
      }
    }
    for (const node of tree.nodes) {
      if (node.type !== 'VariableDeclarator' || !boundNames(fieldOf(node, 'id')).includes(name))
        continue;
      const init = bare(fieldOf(node, 'init'));
      // A constant that is made of itself ends here.
      return identifierOf(init) === undefined ? this.moduleOf(tree, init) : undefined;
    }
    return undefined;
  }

  #isRouter(tree: Tree, specifier: string): boolean {
    return this.reachable(tree.path, specifier).some((text) => MAKES_ROUTER.test(text));
  }
}

/** Middleware that reads the request and passes it on, and what is called for errors only. */
function isHarmless(tree: Tree, value: SyntaxNode): boolean {
  const inner = bare(value);
  if (isFunction(inner)) return listOf(inner, 'params').length === 4;
  return /^(?:(?:express|bodyParser)\.(?:json|urlencoded|raw|text)|cors|helmet|compression|morgan|cookieParser)\b/.test(
    textOf(tree, inner),
  );
}

function textOf({ text }: Tree, node: SyntaxNode | undefined): string {
  return node === undefined ? '' : text.slice(node.start, node.end);
}
