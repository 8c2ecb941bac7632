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
  if (isRare) walk(parsed.program, needs);
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

/** Adds what the nodes of a tree need. */
function walk(program: SyntaxNode, needs: Map<string, number>): void {
  const open = [{ node: program, isInFunction: false }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, isInFunction } = next;
    for (const need of needsOf(node, isInFunction)) {
      const known = needs.get(need);
      if (known === undefined || node.start < known) needs.set(need, node.start);
    }
    const isFunction = isInFunction || FUNCTIONS.has(node.type);
    for (const value of Object.values(node)) {
      for (const child of Array.isArray(value) ? (value as unknown[]) : [value]) {
        if (isNode(child)) open.push({ node: child, isInFunction: isFunction });
      }
    }
  }
}

/** Needs that follow from the kind of a node alone. */
const NEED_OF: ReadonlyMap<string, string> = new Map([
  ['JSXElement', 'jsx'],
  ['JSXFragment', 'jsx'],
  ['Decorator', 'decorators'],
  ['StaticBlock', 'es2022'],
  ['PrivateIdentifier', 'es2022'],
  ['PropertyDefinition', 'es2022'],
]);

function needsOf(node: SyntaxNode, isInFunction: boolean): string[] {
  const need = NEED_OF.get(node.type);
  if (need !== undefined) return [need];
  switch (node.type) {
    case 'AwaitExpression':
      return isInFunction ? [] : ['top-level-await'];
    case 'ForOfStatement':
      return node['await'] === true && !isInFunction ? ['top-level-await'] : [];
    case 'AssignmentExpression':
      return /^(?:\?\?|\|\||&&)=$/.test(String(node['operator'])) ? ['es2021'] : [];
    case 'VariableDeclaration':
      return String(node['kind']).endsWith('using') ? ['es2026'] : [];
    case 'Literal':
      return needsOfLiteral(node);
    default:
      return hasDecoratedParameter(node) ? ['parameter-decorators'] : [];
  }
}

function hasDecoratedParameter({ params }: SyntaxNode): boolean {
  return (Array.isArray(params) ? (params as unknown[]) : []).some((parameter) => {
    const decorators = isNode(parameter) ? parameter['decorators'] : undefined;
    return Array.isArray(decorators) && decorators.length > 0;
  });
}

function needsOfLiteral({ bigint, raw, regex }: SyntaxNode): string[] {
  const { flags = '' } = (regex ?? {}) as { readonly flags?: string };
  return [
    ...(typeof bigint === 'string' ? ['bigint'] : []),
    ...(typeof raw === 'string' && /^[\d.]+_/.test(raw) ? ['es2021'] : []),
    ...['d', 'v'].filter((flag) => flags.includes(flag)).map((flag) => `regexp-${flag}`),
  ];
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
