/** Which values of a file are routers: made there, or imported from a file of the project that makes one. Pure. */
import type { SyntaxNode } from '../../../scan/parse/parse-javascript.ts';
import { requiredBy } from './framework.ts';
import { bare, boundNames, fieldOf, identifierOf, listOf, type Tree } from './tree.ts';

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

function textOf({ text }: Tree, node: SyntaxNode | undefined): string {
  return node === undefined ? '' : text.slice(node.start, node.end);
}
