/**
 * The native parser of JavaScript and TypeScript. Most files only need to be known as free of errors, with their imports:
 * that much is read from the parser's own memory, at a tenth of what it costs to write the tree as text.
 */
import { createRequire } from 'node:module';
import type { ParseResult, ParserOptions } from 'oxc-parser';

type Entry = { readonly isType: boolean };
type Source = { readonly value: string; readonly start: number };

/** What both ways to read a text give alike: one of them spells kinds of names in another way. */
export interface ModuleRecord {
  readonly hasModuleSyntax: boolean;
  readonly importMetas: readonly { readonly start: number }[];
  readonly staticImports: readonly {
    readonly moduleRequest: Source;
    readonly entries: readonly Entry[];
  }[];
  readonly staticExports: readonly {
    readonly entries: readonly (Entry & { readonly moduleRequest?: Source | null })[];
  }[];
}

type Language = 'js' | 'ts';

export interface NativeParser {
  /**
   * What `read` makes of the imports and exports, `undefined` where the text has a syntax error. The record that `read`
   * gets, which is converted when a property is read, must not be kept.
   */
  readonly outline: <Value>(
    name: string,
    text: string,
    lang: Language,
    read: (module: () => ModuleRecord) => Value,
  ) => Value | undefined;
  /** The tree of a text, `undefined` where it has a syntax error: an ESTree, as in TS-ESTree for TypeScript. */
  readonly tree: (name: string, text: string, lang: Language) => unknown;
}

/** As in the package's bindings: each property is converted when it is read. */
type Binding = (
  name: string,
  text: string,
  options: ParserOptions,
) => { readonly [Key in keyof ParseResult]: Key extends 'program' ? string : ParseResult[Key] };

/** The result stays in a buffer that the next parse uses again, after `dispose`. */
type LazyParser = (
  name: string,
  text: string,
  options: ParserOptions & { readonly experimentalLazy: true },
) => {
  readonly module: ModuleRecord;
  readonly errors: readonly unknown[];
  readonly dispose: () => void;
};

/** The buffer keeps the memory that its largest text took, about 30 bytes a character. */
const MAX_LAZY_LENGTH = 200_000;

/** Loading what reads the buffer costs as much as this many texts: a run that examines one build does without. */
const TEXTS_BEFORE_LAZY = 100;

/** `null` where the package or its binding for this platform is not installed. */
export let nativeParser: NativeParser | null = loadNative();

/** From now on the parser in JavaScript reads all texts of this process: one of them ended the native parser. */
export function leaveNativeParser(): void {
  nativeParser = null;
}

/**
 * The parts of the package that its own `parseSync` is made of. That one leaves the tree, as text, in memory of the
 * native side, which the garbage collector knows nothing of: a run would gather hundreds of megabytes of it.
 */
function loadNative(): NativeParser | null {
  try {
    const require = createRequire(import.meta.url);
    const { parseSync } = require('oxc-parser/src-js/bindings') as { parseSync: Binding };
    const { jsonParseAst } = require('oxc-parser/src-js/wrap') as {
      jsonParseAst: (text: string) => unknown;
    };
    let texts = 0;
    let lazy: LazyParser | null | undefined;
    return {
      outline: (name, text, lang, read) => {
        texts += 1;
        if (texts > TEXTS_BEFORE_LAZY && text.length <= MAX_LAZY_LENGTH && lazy !== null) {
          lazy ??= loadLazy(require);
          const result = lazy?.(name, text, { ...optionsFor(lang, 'js'), experimentalLazy: true });
          if (result !== undefined) {
            try {
              return result.errors.length > 0 ? undefined : read(() => result.module);
            } finally {
              result.dispose();
            }
          }
        }
        // The smaller tree, as it is not looked at.
        const result = parseSync(name, text, optionsFor(lang, 'js'));
        // Reading it takes it out: the native side frees it now.
        void result.program;
        return result.errors.length > 0 ? undefined : read(() => result.module);
      },
      tree: (name, text, lang) => {
        const { errors, program } = parseSync(name, text, optionsFor(lang, lang));
        return errors.length > 0 ? undefined : jsonParseAst(program);
      },
    };
  } catch {
    return null;
  }
}

function optionsFor(lang: Language, astType: Language): ParserOptions {
  return { lang, astType, sourceType: 'unambiguous', preserveParens: false };
}

/**
 * `null` where the machine does not grant the buffer: 6 GiB of addresses, of which a text takes as many pages of memory
 * as its tree needs.
 */
function loadLazy(require: NodeJS.Require): LazyParser | null {
  try {
    const { parseSync } = require('oxc-parser') as { parseSync: LazyParser };
    parseSync('a.js', '', { ...optionsFor('js', 'js'), experimentalLazy: true }).dispose();
    return parseSync;
  } catch {
    return null;
  }
}
