/**
 * Parses JavaScript and TypeScript to an ESTree. The native parser reads text that is known to be shallow. Other
 * text, and all text where there is no native parser (the client is one file of pure JavaScript), is read by a
 * parser in JavaScript that returns the same tree, and whose stack may overflow without harm. What is too large or too
 * deeply nested for both is read in pieces.
 */
import { parse as parseWithBabel, type ParserPlugin } from '@babel/parser';
import { MAX_WHOLE_LENGTH, isBounded, ReleasableTree } from './is-bounded.ts';
import { nativeParser, type ModuleRecord, type NativeParser } from './native-parser.ts';
import { depthOf, type Depth } from './nesting.ts';
import { readInPieces } from './read-in-pieces.ts';

/** A node of an ESTree; TypeScript's nodes as in TS-ESTree. Offsets are UTF-16 units. */
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

export interface ParsedJavaScript {
  readonly program: Program;
  readonly imports: readonly StaticImport[];
  /** Where the first import, export or `import.meta` is, which make the text a module. */
  readonly moduleAt: number | undefined;
  /** Where the first `import.meta` is. */
  readonly importMetaAt: number | undefined;
  /** Where the first syntax error is; the tree may end there. */
  readonly problemAt: number | undefined;
  /** Why part of the text is not in the tree. */
  readonly gap?: string | undefined;
  /** It is so large that what does not matter is not in the tree. */
  readonly isInParts?: boolean;
  /** Frees the tree, which is made again when it is read. */
  release(): void;
}

/** No keyword may be written with escapes: a text without these words is no module, or imports nothing. */
const MAY_BE_MODULE = /import|export/;
const IMPORT_META = /\bimport\s*\.\s*meta\b/;

/**
 * Reads every text; what it could not read of one is its `gap`.
 *
 * @param native the native parser; `null` reads with the one in JavaScript
 * @param matters whether a part of a text that is too large is read
 */
export function parseJavaScript(
  path: string,
  text: string,
  native: NativeParser | null = nativeParser,
  matters: (text: string) => boolean = () => true,
): ParsedJavaScript {
  const depth = text.length > MAX_WHOLE_LENGTH ? 'deep' : nestingOf(path, text);
  if (depth === 'deep' || (depth === 'open' && !isBounded(text))) {
    return parsePieces(path, text, native, matters);
  }
  if (native !== null && depth === 'shallow') {
    const lang = isTypeScript(path) ? 'ts' : 'js';
    const outline = native.outline(path, text, lang, (module) => outlineOf(text, module));
    if (outline !== undefined) {
      // Few files need their tree, which costs more than parsing: those are parsed again.
      const tree = new JavaScriptText(() => native.tree(path, text, lang) as Program);
      return Object.assign(tree, outline);
    }
  }
  const whole = isTypeScript(path) && !isBounded(text) ? undefined : tryParse(path, text);
  if (whole === undefined) return parsePieces(path, text, native, matters);
  const { program, ...outline } = whole;
  const tree = new JavaScriptText(() => parseInJavaScript(path, text).program, program);
  return Object.assign(tree, outline);
}

/** `undefined` for a text that is nested too deeply for the stack. */
function tryParse(path: string, text: string): ReturnType<typeof parseInJavaScript> | undefined {
  try {
    return parseInJavaScript(path, text);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function parsePieces(
  path: string,
  text: string,
  native: NativeParser | null,
  matters: (text: string) => boolean,
): ParsedJavaScript {
  const read = (): ReturnType<typeof readInPieces> =>
    readInPieces(text, { parse: (piece) => parsePiece(path, piece, native), matters });
  const { program, gap, isInParts } = read();
  const outline = { ...outlineOfProgram(text, program), problemAt: undefined, gap, isInParts };
  return Object.assign(new JavaScriptText(() => read().program, program), outline);
}

/** The statements of a piece; `undefined` for one that is nested too deeply or is no code. */
function parsePiece(
  path: string,
  text: string,
  native: NativeParser | null,
): readonly SyntaxNode[] | undefined {
  const depth = nestingOf(path, text);
  if (native !== null && depth === 'shallow') {
    const tree = native.tree(path, text, isTypeScript(path) ? 'ts' : 'js');
    if (tree !== undefined) return (tree as Program).body;
  }
  if (depth === 'deep' || !isBounded(text)) return undefined;
  const whole = tryParse(path, text);
  return whole === undefined || whole.isBroken === true ? undefined : whole.program.body;
}

/** What `depthOf()` finds in a file; the depth of JSX is unknown. Only a shallow file may be parsed natively. */
export function nestingOf(path: string, text: string): Depth {
  return /\.[jt]sx$/.test(path) ? 'open' : depthOf(text);
}

/** `isBroken`: nothing was read of the text. */
function parseInJavaScript(
  path: string,
  text: string,
): Outline & { readonly program: Program; readonly isBroken?: true } {
  const dialect: ParserPlugin[] = isTypeScript(path)
    ? path.endsWith('x')
      ? ['typescript', 'jsx']
      : ['typescript']
    : ['jsx', 'flow'];
  const limit = Error.stackTraceLimit;
  // Text that is not code has an error at every other word: their stack traces cost more than the parse.
  Error.stackTraceLimit = 0;
  try {
    const file = parseWithBabel(text, {
      sourceType: 'unambiguous',
      errorRecovery: true,
      allowReturnOutsideFunction: true,
      allowAwaitOutsideFunction: true,
      allowImportExportEverywhere: true,
      allowSuperOutsideMethod: true,
      allowUndeclaredExports: true,
      allowNewTargetOutsideFunction: true,
      createImportExpressions: true,
      attachComment: false,
      plugins: [...dialect, ['estree', { classFeatures: true }], 'decorators'],
    });
    const first = file.errors?.[0] as unknown as { readonly pos?: number } | undefined;
    const problemAt = first === undefined ? undefined : (first.pos ?? 0);
    const program = file.program as unknown as Program;
    return { program, ...outlineOfProgram(text, program), problemAt };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const problemAt = (error as { readonly pos?: number }).pos ?? 0;
    const program = { type: 'Program', start: 0, end: text.length, body: [] };
    return { program, ...NO_MODULE, problemAt, isBroken: true };
  } finally {
    Error.stackTraceLimit = limit;
  }
}

type Outline = Omit<ParsedJavaScript, 'program' | 'release'>;

function outlineOfProgram(text: string, program: Program): Omit<Outline, 'problemAt'> {
  const moduleAt = program.body.find(({ type }) => /^(?:Import|Export)/.test(type))?.start;
  const importMetaAt = IMPORT_META.test(text) ? findImportMeta(program) : undefined;
  const imports = importsOfBody(program.body);
  return { imports, moduleAt: moduleAt ?? importMetaAt, importMetaAt };
}

// A getter of a class: V8 would keep the scope of one in an object literal until a full collection of garbage.
class JavaScriptText extends ReleasableTree<Program> {
  get program(): Program {
    return this.tree;
  }
}

const NO_MODULE: Outline = {
  imports: [],
  moduleAt: undefined,
  importMetaAt: undefined,
  problemAt: undefined,
};

function outlineOf(text: string, module: () => ModuleRecord): Outline {
  if (!MAY_BE_MODULE.test(text)) return NO_MODULE;
  const record = module();
  if (!record.hasModuleSyntax) return NO_MODULE;
  const hasImport = text.includes('import');
  return {
    imports: hasImport || text.includes('from') ? importsOfModule(record) : [],
    moduleAt: Math.max(0, text.search(/^[ \t]*(?:import|export)\b/m)),
    importMetaAt: hasImport && IMPORT_META.test(text) ? record.importMetas[0]?.start : undefined,
    problemAt: undefined,
  };
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

function importsOfModule({ staticImports, staticExports }: ModuleRecord): StaticImport[] {
  const imports = staticImports.map(({ moduleRequest: from, entries }) => {
    const isType = entries.length > 0 && entries.every((one) => one.isType);
    return { specifier: from.value, start: from.start, isType };
  });
  const exports = staticExports.flatMap(({ entries }) => {
    const from = entries[0]?.moduleRequest;
    if (from === null || from === undefined) return [];
    const isType = entries.every((one) => one.isType);
    return [{ specifier: from.value, start: from.start, isType }];
  });
  return [...imports, ...exports].sort((a, b) => a.start - b.start);
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

function isTypeScript(path: string): boolean {
  return /\.[mc]?tsx?$/.test(path);
}
