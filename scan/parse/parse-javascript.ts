/**
 * Parses JavaScript, TypeScript, JSX and Flow to an ESTree (TypeScript's nodes as Babel names them). The gate, the generator and the
 * client have this one parser. It calls itself for each level of nesting: what is nested too deeply is an error.
 */
import { parse, type ParserPlugin } from '@babel/parser';
import {
  BeyondLimits,
  MAX_BROKEN_LENGTH,
  MAX_DEPTH,
  checkBroken,
  checkSize,
  isBounded,
  tooDeep,
} from './limits.ts';
import { ReleasableTree } from './releasable-tree.ts';

/** A node of an ESTree. Offsets are UTF-16 units. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

export interface Program extends SyntaxNode {
  readonly body: readonly SyntaxNode[];
}

/** `import ... from 'x'` or `export ... from 'x'`. */
interface StaticImport {
  readonly specifier: string;
  readonly start: number;
  /** Only types are imported: the import is erased before the code runs. */
  readonly isType: boolean;
}

interface Outline {
  readonly imports: readonly StaticImport[];
  /** Where the first import, export or `import.meta` is, which make the text a module. */
  readonly moduleAt: number | undefined;
  /** Where the first `import.meta` is. */
  readonly importMetaAt: number | undefined;
  /** Where the first syntax error is; the tree may end there. */
  readonly problemAt: number | undefined;
}

export interface ParsedJavaScript extends Outline {
  readonly program: Program;
  /** Frees the tree, which is made again when it is read. */
  release(): void;
}

interface Parsed {
  readonly program: Program;
  readonly problemAt: number | undefined;
  /** Nothing was read of the text. */
  readonly isEmpty: boolean;
}

/**
 * Reads a text, with its syntax errors.
 *
 * @throws {BeyondLimits} it is too large, nested too deeply, or would be read many times over
 */
export function parseJavaScript(path: string, text: string): ParsedJavaScript {
  const { program, problemAt } = parseWithin(path, text);
  const importMetaAt = IMPORT_META.test(text) ? findImportMeta(program) : undefined;
  const moduleAt = program.body.find(({ type }) => /^(?:Import|Export)/.test(type))?.start;
  const outline: Outline = {
    imports: importsOfBody(program.body),
    moduleAt: moduleAt ?? importMetaAt,
    importMetaAt,
    problemAt,
  };
  return Object.assign(new JavaScriptText(() => parseWithin(path, text).program, program), outline);
}

/** The tree of a text; `undefined` for one that has a syntax error, and for one that is beyond the limits. */
export function wholeJavaScript(path: string, text: string): Program | undefined {
  try {
    const { program, problemAt } = parseWithin(path, text);
    return problemAt === undefined ? program : undefined;
  } catch (error) {
    if (error instanceof BeyondLimits) return undefined;
    throw error;
  }
}

// A getter of a class: V8 would keep the scope of one in an object literal until a full collection of garbage.
class JavaScriptText extends ReleasableTree<Program> {
  get program(): Program {
    return this.tree;
  }
}

/** No keyword may be written with escapes. */
const IMPORT_META = /\bimport\s*\.\s*meta\b/;

/** @throws {BeyondLimits} */
function parseWithin(path: string, text: string): Parsed {
  checkSize(text.length);
  if (!isBounded(text, /\.[mc]?ts$/.test(path))) throw tooDeep();
  const limit = Error.stackTraceLimit;
  // Text that is not code has an error at every other word: their stack traces cost more than the parse.
  Error.stackTraceLimit = 0;
  try {
    const parsed = parseInDialects(path, text);
    withinDepth(parsed.program);
    return parsed;
  } catch (error) {
    throw error instanceof RangeError && !(error instanceof BeyondLimits) ? tooDeep() : error;
  } finally {
    Error.stackTraceLimit = limit;
  }
}

/**
 * In the first dialect that has no error with it, else in the first that has a tree.
 *
 * @throws {BeyondLimits}
 */
function parseInDialects(path: string, text: string): Parsed {
  const dialects = dialectsOf(path, text);
  for (const plugins of dialects) {
    const parsed = parseIn(plugins, text, false);
    if (parsed.problemAt === undefined) return parsed;
  }
  checkBroken(text.length);
  const broken = dialects.map((plugins) => parseIn(plugins, text, true));
  return broken.find(({ isEmpty }) => !isEmpty) ?? broken[0]!;
}

function dialectsOf(path: string, text: string): ParserPlugin[][] {
  const isTypeScript = /\.[mc]?tsx?$/.test(path);
  const jsx: ParserPlugin[] = isTypeScript && !path.endsWith('x') ? [] : ['jsx'];
  // Only declarations may have constants without a value.
  const dts = /\.d\.[mc]?ts$/.test(path);
  const own: ParserPlugin[] = isTypeScript ? [['typescript', { dts }], ...jsx] : jsx;
  const dialects: ParserPlugin[][] = [[...own, 'decorators']];
  if (!isTypeScript) dialects.push([...own, 'flow', 'decorators']);
  // Those of parameters are only in the older dialect.
  if (text.includes('@')) dialects.push([...own, 'decorators-legacy']);
  return dialects;
}

interface Problem {
  readonly pos?: number;
  readonly reasonCode: string;
}

/** What the parser takes for an error of types: interfaces and variables of one name, which TypeScript merges. */
const MERGED = new Set(['VarRedeclaration', 'DuplicateExport']);

function parseIn(plugins: ParserPlugin[], text: string, errorRecovery: boolean): Parsed {
  const mayMerge = Array.isArray(plugins[0]) && text.length <= MAX_BROKEN_LENGTH;
  try {
    const file = parse(text, {
      sourceType: 'unambiguous',
      errorRecovery,
      allowReturnOutsideFunction: true,
      allowAwaitOutsideFunction: true,
      allowImportExportEverywhere: true,
      allowSuperOutsideMethod: true,
      allowUndeclaredExports: true,
      allowNewTargetOutsideFunction: true,
      createParenthesizedExpressions: true,
      attachComment: false,
      locations: false,
      plugins: [...plugins, ['estree', { classFeatures: true }]],
    });
    const problems = file.errors as unknown as readonly Problem[] | null;
    const error = problems?.find(({ reasonCode }) => !mayMerge || !MERGED.has(reasonCode));
    const problemAt = error === undefined ? undefined : (error.pos ?? 0);
    return { program: file.program as unknown as Program, problemAt, isEmpty: false };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const { reasonCode } = error as unknown as Problem;
    if (mayMerge && !errorRecovery && MERGED.has(reasonCode)) return parseIn(plugins, text, true);
    const program = { type: 'Program', start: 0, end: text.length, body: [] };
    return { program, problemAt: (error as { readonly pos?: number }).pos ?? 0, isEmpty: true };
  }
}

/** In parts of a level: whole numbers are faster. */
const LEVEL = 8;
/** What follows in a chain, such as `a.b().c()` and `else if`, costs those who read it half as much. */
const CHAINS = new Set(['object', 'callee', 'tag', 'alternate']);

/**
 * Takes parentheses out of the tree: they are in it only to be counted.
 *
 * @throws {BeyondLimits}
 */
function withinDepth(program: Program): void {
  const open: Record<string, unknown>[] = [program as Record<string, unknown>];
  const depths = [0];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const depth = depths.pop()!;
    for (const key in node) {
      const value = node[key];
      if (typeof value !== 'object' || value === null || key === 'loc' || key === 'extra') continue;
      const inner = depth + costOf(node, key, value as SyntaxNode);
      if (!Array.isArray(value)) descend(node, key, inner);
      else for (let at = 0; at < value.length; at += 1) descend(value as never, at, inner);
    }
  }

  function descend(parent: Record<string | number, unknown>, key: string | number, at: number) {
    let [child, depth] = [parent[key] as SyntaxNode | null, at];
    for (; child?.type === 'ParenthesizedExpression'; depth += 2 * LEVEL) {
      child = child['expression'] as SyntaxNode;
      parent[key] = child;
    }
    if (typeof child?.type !== 'string') return;
    if (depth > MAX_DEPTH * LEVEL) throw tooDeep();
    // Two of five nodes have nothing inside.
    if (child.type === 'Literal' || isName(child)) return;
    open.push(child as Record<string, unknown>);
    depths.push(depth);
  }
}

function isName({ type, typeAnnotation, decorators }: SyntaxNode): boolean {
  return type === 'Identifier' && typeAnnotation === undefined && decorators === undefined;
}

/** To read arguments the parser calls itself most often; those who read trees take `a + b + c` as one. */
function costOf(
  node: Record<string, unknown>,
  key: string,
  { type, operator }: SyntaxNode,
): number {
  if (key === 'arguments') return 2 * LEVEL;
  if (CHAINS.has(key)) return LEVEL / 2;
  const isSum = key === 'left' && node['operator'] === operator;
  return isSum && (type === 'BinaryExpression' || type === 'LogicalExpression') ? 1 : LEVEL;
}

function findImportMeta(program: Program): number | undefined {
  const open: object[] = [program];
  let first: number | undefined;
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const { type, start, meta } = node as Partial<SyntaxNode>;
    const isMeta = type === 'MetaProperty' && (meta as SyntaxNode)['name'] === 'import';
    if (isMeta && start !== undefined && start < (first ?? Infinity)) first = start;
    for (const value of Object.values(node)) {
      if (typeof value === 'object' && value !== null) open.push(value as object);
    }
  }
  return first;
}

function importsOfBody(body: readonly SyntaxNode[]): StaticImport[] {
  return body.flatMap((node) => {
    if (!/^(?:Import|Export)/.test(node.type)) return [];
    const source = node['source'] as { readonly value?: unknown; readonly start: number } | null;
    if (typeof source?.value !== 'string') return [];
    const specifiers = (node['specifiers'] ?? []) as readonly SyntaxNode[];
    const isType =
      [node['importKind'], node['exportKind']].includes('type') ||
      (specifiers.length > 0 &&
        specifiers.every((one) => [one['importKind'], one['exportKind']].includes('type')));
    return [{ specifier: source.value, start: source.start, isType }];
  });
}
