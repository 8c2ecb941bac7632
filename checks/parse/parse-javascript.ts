/**
 * Parses JavaScript and TypeScript to an ESTree. The native parser reads text that is known to be shallow. Other
 * text, and all text where there is no native parser (the client is one file of pure JavaScript), is read by a
 * parser in JavaScript that returns the same tree, and whose stack may overflow without harm.
 */
import { createRequire } from 'node:module';
import { parse as parseWithBabel } from '@babel/parser';
import type { ParserPlugin } from '@babel/parser';
import type { EcmaScriptModule, ParseResult, ParserOptions } from 'oxc-parser';
import { depthOf, isBounded } from './nesting.ts';

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
export interface StaticImport {
  readonly specifier: string;
  readonly start: number;
  /** Only types are imported: the import is erased before the code runs. */
  readonly isType: boolean;
}

export interface ParsedJavaScript {
  readonly program: Program;
  readonly imports: readonly StaticImport[];
  /** Where the first syntax error is; the tree may end there. */
  readonly problemAt: number | undefined;
}

/** A function for each part that is costly to convert from the native side. */
type NativeParser = (
  name: string,
  text: string,
  options: ParserOptions,
) => {
  readonly program: () => unknown;
  readonly module: () => Pick<EcmaScriptModule, 'staticImports' | 'staticExports'>;
  readonly errors: readonly { readonly labels: readonly { readonly start: number }[] }[];
};

/** As in the package's bindings: each property is converted when it is read. */
type NativeBinding = (
  name: string,
  text: string,
  options: ParserOptions,
) => { readonly [Key in keyof ParseResult]: Key extends 'program' ? string : ParseResult[Key] };

/** No keyword may be written with escapes: a text without these words imports nothing. */
const MAY_IMPORT = /import|from/;

/** `null` where the package or its binding for this platform is not installed. */
export const nativeParser: NativeParser | null = loadNative();

/**
 * @param native the native parser; `null` reads with the one in JavaScript
 * @throws {RangeError} nested too deeply to be read
 */
export function parseJavaScript(
  path: string,
  text: string,
  native: NativeParser | null = nativeParser,
): ParsedJavaScript {
  const depth = /\.[jt]sx$/.test(path) ? 'open' : depthOf(text);
  if (depth === 'deep' || (depth === 'open' && !isBounded(text))) {
    throw new RangeError('Nested too deeply');
  }
  if (native !== null && depth === 'shallow') {
    const lang = isTypeScript(path) ? 'ts' : 'js';
    const read = (astType: 'js' | 'ts'): ReturnType<NativeParser> =>
      native(path, text, { lang, astType, sourceType: 'unambiguous', preserveParens: false });
    // The smaller tree, because it is not used.
    const { errors, module } = read('js');
    if (errors.length === 0) {
      const imports = MAY_IMPORT.test(text) ? importsOfModule(module()) : [];
      let program: Program | undefined;
      return {
        // Few files need their tree, which is ten times as large as the text and costs more than parsing. It is
        // not kept; those files are parsed again.
        get program() {
          return (program ??= read(lang).program() as Program);
        },
        imports,
        problemAt: undefined,
      };
    }
  }
  if (isTypeScript(path) && !isBounded(text)) throw new RangeError('Nested too deeply');
  return parseInJavaScript(path, text);
}

function parseInJavaScript(path: string, text: string): ParsedJavaScript {
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
    return { program, imports: importsOfBody(program.body), problemAt };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const problemAt = (error as { readonly pos?: number }).pos ?? 0;
    const program = { type: 'Program', start: 0, end: text.length, body: [] };
    return { program, imports: [], problemAt };
  } finally {
    Error.stackTraceLimit = limit;
  }
}

function importsOfModule({
  staticImports,
  staticExports,
}: Pick<EcmaScriptModule, 'staticImports' | 'staticExports'>): StaticImport[] {
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

/**
 * The parts of the package that its own `parseSync` uses. `parseSync` leaves the tree, as text, in native memory
 * that the garbage collector does not see: a run would accumulate hundreds of megabytes of it.
 */
function loadNative(): NativeParser | null {
  try {
    const require = createRequire(import.meta.url);
    const { parseSync } = require('oxc-parser/src-js/bindings') as { parseSync: NativeBinding };
    const { jsonParseAst } = require('oxc-parser/src-js/wrap') as {
      jsonParseAst: (text: string) => unknown;
    };
    return (name, text, options) => {
      const result = parseSync(name, text, options);
      // Reading the property moves the text out: the native side frees it now.
      const tree = result.program;
      return {
        program: () => jsonParseAst(tree),
        module: () => result.module,
        errors: result.errors,
      };
    };
  } catch {
    return null;
  }
}
