/**
 * What code in JavaScript and TypeScript needs: the module system, and syntax that a compiler or runtime may not have. Few texts
 * have any of it, so that a text is looked at before its tree is walked.
 */
import type { ScannedFile } from '../scanned-file.ts';
import type { ParsedJavaScript, SyntaxNode } from '../parse/parse-javascript.ts';

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
const FIELD =
  /\bclass\b[^{}()\n]{0,300}\{\s*(?:static\s+)?[\w$]+\s*[=;]|^[ \t]+static[ \t]+[\w$]+\s*=/m;

/** Needs that follow from one kind of node. */
const REGEXP_FLAGS: Readonly<Record<string, string>> = { d: 'regexp-d', v: 'regexp-v' };

/** The needs of a file, by the offset of the first place. */
export function javascriptNeeds(
  file: ScannedFile,
  parsed: ParsedJavaScript,
): ReadonlyMap<string, number> {
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

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}
