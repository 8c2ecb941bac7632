/**
 * Finds where JavaScript and TypeScript name other modules: imports, exports, `import()`, `require()`, types
 * of other modules, references in comments, mocks of test runners. Pure.
 */
import { wholeJavaScript, type SyntaxNode } from '../../../scan/parse/parse-javascript.ts';

/** The name of a module as it is written, without its quotes. */
export interface Specifier {
  readonly value: string;
  readonly start: number;
  readonly end: number;
  /** The character around it: the new name must not contain it. */
  readonly quote: string;
}

interface JavaScriptSpecifiers {
  readonly specifiers: readonly Specifier[];
  /** Offsets of `import()` and `require()` of a name that is computed at run time. */
  readonly computed: readonly number[];
  readonly strings: readonly Specifier[];
}

/** Methods of `vi` and `jest` whose first argument is the name of a module. */
const MOCKS = new Set([
  'mock',
  'unmock',
  'doMock',
  'doUnmock',
  'dontMock',
  'deepUnmock',
  'setMock',
  'createMockFromModule',
  'genMockFromModule',
  'importActual',
  'importMock',
  'requireActual',
  'requireMock',
  'unstable_mockModule',
  'unstable_unmockModule',
]);
const SOURCES = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
]);

/** `undefined` for a text that has a syntax error, or is too large or nested too deeply. */
export function findSpecifiers(path: string, text: string): JavaScriptSpecifiers | undefined {
  const program = wholeJavaScript(path, text);
  if (program === undefined) return undefined;
  const found = new Finder(text);
  found.walk(program);
  found.readComments();
  return found;
}

class Finder implements JavaScriptSpecifiers {
  readonly specifiers: Specifier[] = [];
  readonly computed: number[] = [];
  readonly #text: string;
  readonly #literals: Specifier[] = [];
  readonly #texts: { readonly start: number; readonly end: number }[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  get strings(): Specifier[] {
    const known = new Set(this.specifiers.map(({ start }) => start));
    return this.#literals.filter(({ start }) => !known.has(start));
  }

  walk(program: SyntaxNode): void {
    const waiting: unknown[] = [program];
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      if (Array.isArray(node)) waiting.push(...(node as unknown[]).filter(isObject));
      else if (isNode(node)) this.#visit(node);
      if (isObject(node) && !Array.isArray(node)) {
        for (const key in node) if (key !== 'loc' && isObject(node[key])) waiting.push(node[key]);
      }
    }
    this.specifiers.sort((a, b) => a.start - b.start);
    this.computed.sort((a, b) => a - b);
  }

  /** `/// <reference path="..." />`, and `import('...')` in documentation comments. */
  readComments(): void {
    const text = this.#text;
    const known = new Set(this.specifiers.map(({ start }) => start));
    const isInCode = (at: number): boolean =>
      this.#texts.some(({ start, end }) => start <= at && at < end);
    const add = (start: number, value: string, quote: string): void => {
      if (known.has(start)) return;
      this.specifiers.push({ value, start, end: start + value.length, quote });
    };
    const reference = /^[ \t]*\/\/\/[ \t]*<reference[ \t]+path[ \t]*=[ \t]*(["'])([^"'\r\n]+)\1/gm;
    for (const match of text.matchAll(reference)) {
      const [whole, quote = '', value = ''] = match;
      const start = match.index + whole.length - 1 - value.length;
      if (!isInCode(match.index) && /^\.\.?\//.test(value)) add(start, value, quote);
    }
    const comments = /\/\*\*[\s\S]*?\*\//g;
    for (let found = comments.exec(text); found !== null; found = comments.exec(text)) {
      if (isInCode(found.index)) {
        // A glob such as "src/**": the comment begins later.
        comments.lastIndex = found.index + 1;
        continue;
      }
      for (const match of found[0].matchAll(/\bimport\((["'])([^"'\r\n]+)\1\)/g)) {
        const [, quote = '', value = ''] = match;
        add(found.index + match.index + 'import('.length + 1, value, quote);
      }
    }
    this.specifiers.sort((a, b) => a.start - b.start);
  }

  #visit(node: SyntaxNode): void {
    if (SOURCES.has(node.type)) this.#take(node['source'], node);
    else if (node.type === 'TSExternalModuleReference') this.#take(node['expression'], node);
    else if (node.type === 'TSImportType') this.#take(node['source'], node);
    else if (node.type === 'TSModuleDeclaration') this.#take(node['id'], undefined);
    else if (node.type === 'CallExpression') this.#visitCall(node);
    else this.#keepString(node);
  }

  #visitCall(node: SyntaxNode): void {
    const { callee, arguments: values } = node as unknown as {
      readonly callee: SyntaxNode;
      readonly arguments: readonly unknown[];
    };
    const name = nameOf(callee);
    if (name === 'require') this.#take(values[0], node);
    else if (name === 'require.resolve' || name === 'import.meta.resolve') {
      this.#take(values[0], undefined);
    } else if (/^(?:vi|vitest|jest)\.\w+$/.test(name) && MOCKS.has(name.split('.')[1] ?? '')) {
      // The argument may be `import('./x')`, which is found as such.
      this.#take(values[0], undefined);
    }
  }

  /** @param computed the node to report where `value` is no literal */
  #take(value: unknown, computed: SyntaxNode | undefined): void {
    const inner = isNode(value) && value.type === 'TSLiteralType' ? value['literal'] : value;
    const literal = isNode(inner) ? this.#literal(inner) : undefined;
    if (literal !== undefined) this.specifiers.push(literal);
    else if (computed !== undefined && isNode(value)) this.computed.push(computed.start);
  }

  #keepString(node: SyntaxNode): void {
    const literal = this.#literal(node);
    if (literal !== undefined) this.#literals.push(literal);
    const isText = ['Literal', 'TemplateLiteral', 'TemplateElement', 'JSXText'].includes(node.type);
    if (isText) this.#texts.push({ start: node.start, end: node.end });
  }

  #literal(node: SyntaxNode): Specifier | undefined {
    const [start, end] = [node.start + 1, node.end - 1];
    const quote = this.#text[node.start] ?? '';
    if (node.type === 'Literal' && typeof node['value'] === 'string' && /["']/.test(quote)) {
      return { value: node['value'], start, end, quote };
    }
    const quasis = node['quasis'] as
      | readonly { readonly value: { readonly cooked?: string | null } }[]
      | undefined;
    if (node.type !== 'TemplateLiteral' || quasis?.length !== 1) return undefined;
    const value = quasis[0]?.value.cooked;
    return typeof value === 'string' ? { value, start, end, quote } : undefined;
  }
}

/** `require`, `vi.mock` or `import.meta.resolve`; `''` for other callees. */
function nameOf(callee: SyntaxNode): string {
  if (callee.type === 'Identifier') return String(callee['name']);
  if (callee.type === 'MetaProperty') return 'import.meta';
  if (callee.type !== 'MemberExpression' || callee['computed'] === true) return '';
  const { object, property } = callee;
  if (!isNode(object) || !isNode(property)) return '';
  return `${nameOf(object)}.${nameOf(property)}`;
}

function isNode(value: unknown): value is SyntaxNode {
  return isObject(value) && typeof value['type'] === 'string' && typeof value['start'] === 'number';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
