/**
 * What the code of a build needs of its language: the module system, syntax that a compiler or runtime may not have.
 * Few texts have any of it, so that a text is looked at before its tree is made.
 */
import type { SyntaxNodeRef, Tree } from '@lezer/common';
import type { LanguageNeed } from '../../format/index/capabilities.ts';
import type { ScannedBuild, ScannedFile } from '../scanned-file.ts';
import { isTestOrExamplePath } from './decode-text.ts';
import type { ParsedJavaScript, SyntaxNode } from '../parse/parse-javascript.ts';

/** The lowest version of Python that reads a text, from its syntax. */
const FUTURE = /^from\s+__future__\s+import\s[^\n]*\bannotations\b/m;
const GENERIC = /^(?:list|dict|set|tuple|type|frozenset)$/;

/** `python3.10` and such with the offset of its first place; empty for what every supported version reads. */
function pythonNeeds(text: string, tree: Tree): ReadonlyMap<string, number> {
  // Annotations are not evaluated with this import.
  const areEvaluated = !FUTURE.test(text);
  let [minor, at] = [7, 0];
  const raise = (needed: number, from: number): void => {
    if (needed > minor) [minor, at] = [needed, from];
  };
  let annotationEnd = 0;
  let bodies = 0;
  tree.iterate({
    enter: (node) => {
      const { name, from, to } = node;
      if (name === 'FunctionDefinition' || name === 'LambdaExpression') bodies += 1;
      // Annotations of the variables of a function are never evaluated.
      if (name === 'TypeDef' && areEvaluated && !isLocal(node, bodies)) {
        annotationEnd = Math.max(annotationEnd, to);
      }
      const needed = versionOf(node, text, from < annotationEnd);
      if (needed !== undefined) raise(needed, from);
    },
    leave: ({ name }) => {
      if (name === 'FunctionDefinition' || name === 'LambdaExpression') bodies -= 1;
    },
  });
  return minor === 7 ? new Map() : new Map([[`python3.${minor}`, at]]);
}

function isLocal(node: SyntaxNodeRef, bodies: number): boolean {
  const parent = node.node.parent?.name;
  return bodies > 0 && parent === 'AssignStatement';
}

function versionOf(node: SyntaxNodeRef, text: string, isAnnotation: boolean): number | undefined {
  const { name, from, to } = node;
  switch (name) {
    case 'NamedExpression':
    case 'FormatSelfDoc':
      return 8;
    case 'MatchStatement':
      return 10;
    case 'TypeDefinition':
    case 'TypeParamList':
      return 12;
    case '*':
      return text.slice(0, from).trimEnd().endsWith('except') ? 11 : undefined;
    case 'ParamList':
      return /[(,]\s*\/\s*[,)]/.test(text.slice(from, to)) ? 8 : undefined;
    case 'BitOp':
      // Elsewhere the operator is that of numbers and sets.
      return isAnnotation && text.slice(from, to) === '|' ? 10 : undefined;
    case 'VariableName':
      return isAnnotation && text[to] === '[' && GENERIC.test(text.slice(from, to)) ? 9 : undefined;
    case 'CallExpression':
      return /^is(?:instance|subclass)\s*\([^()"']*\|[^()"']*\)$/.test(
        text.slice(from, Math.min(to, from + 500)),
      )
        ? 10
        : undefined;
    default:
      return undefined;
  }
}

/** In characters; of longer files, which are bundles, only what their outline shows is derived. */
const MAX_WALKED = 100_000;

/** A text that matches none of these has nothing that only its tree shows. */
const RARE = [
  /^[ \t]*(?:export[ \t]+(?:default[ \t]+)?)?@[A-Za-z_$]|[(,][ \t]*@[A-Za-z_$]/m,
  /\b\d[\d_]*n\b|\b0[xob][\da-f_]+n\b/i,
  /\b\d+_\d/,
  /\?\?=|\|\|=|&&=/,
  /\.#[A-Za-z_$]|^[ \t]*(?:static[ \t]+|readonly[ \t]+|async[ \t]+|get[ \t]+|set[ \t]+|\*[ \t]*)*#[A-Za-z_$]/m,
  /\bstatic\s*\{/,
  /\/[gimsuy]*[dv][gimsuy]*(?=\s*[,;).\]])/,
  /\busing\s+[\w$]+\s*=/,
];
/** At the start of a line, so that the tree of so many files need not be made. */
const COMMONJS =
  /^(?:module\.exports|exports\.[\w$]+)\s*=|^(?:(?:const|let|var)\s[^\n;=]*=\s*)?require\s*\(/m;
/** A field of a class, in JavaScript; compilers of TypeScript replace these. Fields mostly come first, or are static. */
const FIELD = /\bclass\b[^{}()\n]*\{\s*(?:static\s+)?[\w$]+\s*[=;]|^[ \t]+static[ \t]+[\w$]+\s*=/m;

/** Needs that follow from one kind of node. */
const REGEXP_FLAGS: Readonly<Record<string, string>> = { d: 'regexp-d', v: 'regexp-v' };

/** The needs of a file, by the offset of the first place. */
function javascriptNeeds(file: ScannedFile, parsed: ParsedJavaScript): ReadonlyMap<string, number> {
  const { path, text = '' } = file;
  const needs = new Map<string, number>();
  const { moduleAt, importMetaAt } = parsed;
  if (moduleAt !== undefined) needs.set('esm', moduleAt);
  if (importMetaAt !== undefined) needs.set('import-meta', importMetaAt);
  const commonJsAt = moduleAt === undefined ? text.search(COMMONJS) : -1;
  if (commonJsAt >= 0) needs.set('commonjs', commonJsAt);
  if (text.length > MAX_WALKED) return needs;
  const isJsx = /\.[jt]sx$/.test(path);
  const hasFields = /\.[cm]?jsx?$/.test(path) && FIELD.test(text);
  const isRare = isJsx || hasFields || mayAwait(text) || RARE.some((pattern) => pattern.test(text));
  if (isRare) new Walk(needs).run(parsed.program);
  return needs;
}

/** Whether a line that is in no function may have `await`, as far as indentation shows. */
function mayAwait(text: string): boolean {
  if (!text.includes('await')) return false;
  let last = '';
  for (const [match, line] of text.matchAll(/^([^\s/*][^\n]*)|\bawait\b/gm)) {
    if (line === undefined) {
      const isBlock = /^(?:try|if|for|while|do|switch|else|\{|\}\s*(?:catch|finally|else))(?!\w)/;
      if (isBlock.test(last) || !/[{([]\s*$/.test(last)) return true;
      continue;
    }
    last = line;
    if (match.includes('await')) return true;
  }
  return false;
}

class Walk {
  readonly #needs: Map<string, number>;

  constructor(needs: Map<string, number>) {
    this.#needs = needs;
  }

  run(program: SyntaxNode): void {
    const open: { readonly node: SyntaxNode; readonly isInFunction: boolean }[] = [
      { node: program, isInFunction: false },
    ];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { node, isInFunction } = next;
      this.#read(node, isInFunction);
      const isFunction = isInFunction || FUNCTIONS.has(node.type);
      for (const value of Object.values(node)) {
        for (const child of Array.isArray(value) ? (value as unknown[]) : [value]) {
          if (isNode(child)) open.push({ node: child, isInFunction: isFunction });
        }
      }
    }
  }

  #read(node: SyntaxNode, isInFunction: boolean): void {
    switch (node.type) {
      case 'JSXElement':
      case 'JSXFragment':
        return this.#add('jsx', node);
      case 'Decorator':
        return this.#add('decorators', node);
      case 'AwaitExpression':
        return isInFunction ? undefined : this.#add('top-level-await', node);
      case 'ForOfStatement':
        return node['await'] === true && !isInFunction
          ? this.#add('top-level-await', node)
          : undefined;
      case 'StaticBlock':
      case 'PrivateIdentifier':
      case 'PropertyDefinition':
        return this.#add('es2022', node);
      case 'AssignmentExpression':
        return /^(?:\?\?|\|\||&&)=$/.test(String(node['operator']))
          ? this.#add('es2021', node)
          : undefined;
      case 'VariableDeclaration':
        return String(node['kind']).endsWith('using') ? this.#add('es2026', node) : undefined;
      case 'Literal':
        return this.#readLiteral(node);
      default:
        for (const parameter of Array.isArray(node['params'])
          ? (node['params'] as unknown[])
          : []) {
          const decorators = isNode(parameter) ? parameter['decorators'] : undefined;
          if (Array.isArray(decorators) && decorators.length > 0) {
            this.#add('parameter-decorators', node);
          }
        }
    }
  }

  #readLiteral(node: SyntaxNode): void {
    if (node['bigint'] !== undefined && node['bigint'] !== null) this.#add('bigint', node);
    const raw = typeof node['raw'] === 'string' ? node['raw'] : '';
    if (/^[\d.]+_/.test(raw)) this.#add('es2021', node);
    const regex = node['regex'] as { readonly flags?: string } | undefined;
    for (const [flag, need] of Object.entries(REGEXP_FLAGS)) {
      if (regex?.flags?.includes(flag) === true) this.#add(need, node);
    }
  }

  #add(need: string, { start }: SyntaxNode): void {
    const known = this.#needs.get(need);
    if (known === undefined || start < known) this.#needs.set(need, start);
  }
}

const FUNCTIONS = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'StaticBlock',
  'PropertyDefinition',
]);

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

/** The needs of the files that users run, each with its first place, sorted by need. */
export function deriveLanguageNeeds(build: ScannedBuild): LanguageNeed[] {
  const needs = new Map<string, LanguageNeed>();
  for (const file of build.files) {
    for (const [need, at] of languageNeedsOf(file)) {
      // In JavaScript and in TypeScript the same syntax needs different things.
      const key = `${need} ${isTypeScript(file.path)}`;
      if (needs.has(key)) continue;
      needs.set(key, { need, path: file.path, line: file.place(at, 0).line ?? 1 });
    }
  }
  return [...needs.values()].sort((a, b) => order(a.need, b.need) || order(a.path, b.path));
}

const knownNeeds = once(findNeeds);

/** The needs of `file` by their first offset; none when it is not code that users run. */
export function languageNeedsOf(file: ScannedFile): ReadonlyMap<string, number> {
  return knownNeeds(file);
}

function findNeeds(file: ScannedFile): ReadonlyMap<string, number> {
  if (isTestOrExamplePath(file.path)) return new Map();
  const { text = '', syntax } = file;
  if (syntax.language === 'javascript') return javascriptNeeds(file, syntax);
  return syntax.language === 'python' ? pythonNeeds(text, syntax.tree) : new Map();
}

function isTypeScript(path: string): boolean {
  return /\.[cm]?tsx?$/.test(path);
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** `compute`, called once per key; later calls return the first result. */
export function once<Key extends object, Result>(
  compute: (key: Key) => Result,
): (key: Key) => Result {
  const known = new WeakMap<Key, { readonly result: Result }>();
  return (key) => {
    let entry = known.get(key);
    if (entry === undefined) known.set(key, (entry = { result: compute(key) }));
    return entry.result;
  };
}
