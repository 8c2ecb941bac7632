/** Finds the imports of a Python file, and where it uses the modules that they bind. Pure. */
import type { SyntaxNode } from '@lezer/common';
import { wholePython } from '../../../scan/parse/parse-python.ts';

interface Range {
  readonly start: number;
  readonly end: number;
}

/** A name of an import, `x` or `x as y`. */
interface ImportedName extends Range {
  readonly name: string;
  readonly as: string | undefined;
}

/** `from ..a.b import x, y as z`. */
interface FromImport extends Range {
  /** Range of `..a.b`. */
  readonly module: Range & { readonly dots: number; readonly path: string };
  /** Empty for `*`. */
  readonly names: readonly ImportedName[];
  readonly hasComment: boolean;
}

/** One module of `import a.b, c as d`. */
interface ModuleImport extends Range {
  readonly path: string;
  readonly as: string | undefined;
}

interface PythonImports {
  readonly froms: readonly FromImport[];
  readonly modules: readonly ModuleImport[];
  /** Dotted names in code, the longest of each: `a.b.c` of `a.b.c()`. */
  readonly chains: readonly (Range & { readonly path: string })[];
  /** `import_module('a.b')` and `__import__('a.b')`: ranges within the quotes. */
  readonly literals: readonly (Range & { readonly path: string })[];
  /** Offsets of imports of a name that is computed at run time. */
  readonly computed: readonly number[];
  /** Other strings that are dotted names. */
  readonly strings: readonly (Range & { readonly path: string })[];
}

const NAME = String.raw`[\p{L}_][\p{L}\p{N}_]*`;
const DOTTED = new RegExp(String.raw`^${NAME}(?:\.${NAME})*$`, 'u');

/** `undefined` for a text with a syntax error. */
export function findPythonImports(text: string): PythonImports | undefined {
  // The parser takes a byte order mark for an error; the offsets stay the same.
  const tree = wholePython(text.replace(/^\uFEFF/, '\n'));
  if (tree === undefined) return undefined;
  const finder = new Finder(text);
  tree.iterate({ enter: ({ node }) => finder.visit(node) });
  return finder;
}

class Finder implements PythonImports {
  readonly froms: FromImport[] = [];
  readonly modules: ModuleImport[] = [];
  readonly chains: (Range & { path: string })[] = [];
  readonly literals: (Range & { path: string })[] = [];
  readonly computed: number[] = [];
  readonly strings: (Range & { path: string })[] = [];
  readonly #text: string;
  readonly #taken = new Set<number>();

  constructor(text: string) {
    this.#text = text;
  }

  /** @returns whether to visit what is inside of `node` */
  visit(node: SyntaxNode): boolean {
    if (node.name === 'ImportStatement') {
      this.#readImport(node);
      return false;
    }
    if (node.name === 'CallExpression') this.#readCall(node);
    if (node.name === 'MemberExpression') {
      const path = this.#dotted(node);
      if (path === undefined) return true;
      this.chains.push({ start: node.from, end: node.to, path });
      return false;
    }
    if (node.name === 'VariableName') {
      this.chains.push({ start: node.from, end: node.to, path: this.#of(node) });
    }
    if (node.name === 'String' && !this.#taken.has(node.from)) {
      const literal = this.#literal(node);
      if (literal?.path.includes('.') === true) this.strings.push(literal);
    }
    return true;
  }

  #readImport(node: SyntaxNode): void {
    const parts = childrenOf(node);
    const isFrom = parts[0]?.name === 'from';
    const at = parts.findIndex(({ name }) => name === 'import');
    if (at < 0) return;
    const list = this.#names(parts.slice(at + 1));
    if (!isFrom) {
      this.modules.push(...list.map(({ name, ...rest }) => ({ ...rest, path: name })));
      return;
    }
    const [first, last] = [parts[1], parts[at - 1]];
    if (first === undefined || last === undefined || at < 2) return;
    const words = this.#text.slice(first.from, last.to).replace(/[\s\\]/g, '');
    const [, dots = '', path = ''] = /^(\.*)(.*)$/s.exec(words) ?? [];
    this.froms.push({
      start: node.from,
      end: node.to,
      module: { start: first.from, end: last.to, dots: dots.length, path },
      names: list,
      hasComment: this.#of(node).includes('#'),
    });
  }

  /** The names between commas: `a.b`, `a as b`; none for `*`. */
  #names(parts: readonly SyntaxNode[]): ImportedName[] {
    const names: ImportedName[] = [];
    let words: SyntaxNode[] = [];
    const flush = (): void => {
      const as = words.findIndex(({ name }) => name === 'as');
      const [path, alias] = as < 0 ? [words, []] : [words.slice(0, as), words.slice(as + 1)];
      const [first, last] = [path[0], words.at(-1)];
      if (first !== undefined && last !== undefined) {
        const name = path.map((word) => this.#of(word)).join('');
        const bound = alias[0] === undefined ? undefined : this.#of(alias[0]);
        names.push({ start: first.from, end: last.to, name, as: bound });
      }
      words = [];
    };
    for (const part of parts) {
      if (part.name === ',') flush();
      else if (!['(', ')', '*', 'Comment'].includes(part.name)) words.push(part);
    }
    flush();
    return names;
  }

  /** `importlib.import_module(...)` and `__import__(...)`. */
  #readCall(node: SyntaxNode): void {
    const [callee, list] = childrenOf(node);
    if (callee === undefined || list?.name !== 'ArgList') return;
    const name = this.#of(callee);
    if (!/(?:^|\.)(?:import_module|__import__)$/.test(name)) return;
    const value = childrenOf(list).find((part) => part.name !== '(' && part.name !== 'Comment');
    const literal = value?.name === 'String' ? this.#literal(value) : undefined;
    if (value !== undefined) this.#taken.add(value.from);
    if (literal !== undefined) this.literals.push(literal);
    else this.computed.push(node.from);
  }

  /** The dotted name in a plain string. */
  #literal(node: SyntaxNode): (Range & { path: string }) | undefined {
    const [, quote = '', path = ''] = /^("""|'''|"|')(.*)\1$/s.exec(this.#of(node)) ?? [];
    if (!DOTTED.test(path)) return undefined;
    const start = node.from + quote.length;
    return { start, end: start + path.length, path };
  }

  /** `a.b.c` of nested member expressions of names only. */
  #dotted(node: SyntaxNode): string | undefined {
    const path = this.#of(node).replace(/[\s\\]/g, '');
    return DOTTED.test(path) ? path : undefined;
  }

  #of({ from, to }: SyntaxNode): string {
    return this.#text.slice(from, to);
  }
}

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) children.push(child);
  return children;
}
