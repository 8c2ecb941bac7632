/**
 * The canonical form of JavaScript and TypeScript: its syntax tree, and its tokens with the comments between them.
 * The tokens leave out what the tree stands for: semicolons, commas, parentheses, the bars of types.
 */
import { parse, type ParserPlugin } from '@babel/parser';
import { isBounded } from '../../../scan/parse/limits.ts';
import { canonicalComment } from './comment.ts';
import { canonicalTree, type SyntaxNode } from './javascript-tree.ts';
import { canonicalString } from './literal.ts';

interface Token {
  /** The kind; comments have a string. */
  readonly type: string | { readonly label: string };
  readonly start: number;
  readonly end: number;
}

/** Tokens that only separate or group: what they mean is in the tree. */
const WITHOUT_MEANING = new Set([';', ',', '(', ')', '|', '&', '']);

/** The canonical form; `undefined` where the text has a syntax error. @throws {RangeError} nested too deeply */
export function canonicalJavaScript(text: string, path: string): readonly string[] | undefined {
  // The parser reads some texts repeatedly, which takes too long where these are nested.
  if (!isBounded(text, /\.[mc]?ts$/i.test(path))) return undefined;
  const file = tryParse(text, path);
  if (file === undefined) return undefined;
  const { parts, skipped } = canonicalTree(file.program, text, file.comments);
  return [...canonicalTokens(file.tokens, text, skipped), ...parts];
}

interface ParsedFile {
  readonly program: SyntaxNode;
  readonly tokens: readonly Token[];
  readonly comments: readonly Token[];
}

function tryParse(text: string, path: string): ParsedFile | undefined {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    for (const decorators of ['decorators', 'decorators-legacy'] as const) {
      try {
        const file: unknown = parse(text, {
          sourceType: 'unambiguous',
          tokens: true,
          attachComment: false,
          locations: false,
          allowReturnOutsideFunction: true,
          allowAwaitOutsideFunction: true,
          allowImportExportEverywhere: true,
          allowNewTargetOutsideFunction: true,
          allowSuperOutsideMethod: true,
          allowUndeclaredExports: true,
          plugins: [...dialectOf(path), decorators],
        });
        return file as ParsedFile;
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
      }
    }
    return undefined;
  } finally {
    Error.stackTraceLimit = limit;
  }
}

function dialectOf(path: string): ParserPlugin[] {
  if (/\.[cm]?ts$/i.test(path)) return ['typescript'];
  return /\.tsx$/i.test(path) ? ['typescript', 'jsx'] : ['jsx', 'flow'];
}

function canonicalTokens(
  tokens: readonly Token[],
  text: string,
  skipped: ReadonlyMap<number, number>,
): string[] {
  const parts: string[] = [];
  let end = 0;
  for (const token of tokens) {
    if (token.start < end) continue;
    end = skipped.get(token.start) ?? 0;
    if (token.start < end) continue;
    const raw = text.slice(token.start, token.end);
    if (typeof token.type === 'string') parts.push(canonicalComment(raw, text, token.start));
    else if (token.type.label === 'string') parts.push(canonicalString(raw));
    // `>>` closes two lists of types, or is an operator, which the tree has.
    else if (/^>+$/.test(raw)) parts.push(...raw.split(''));
    else if (!WITHOUT_MEANING.has(raw)) parts.push(canonicalToken(token.type.label, raw));
  }
  return parts;
}

/** The tree has the values of numbers and regular expressions, and these have no comments. */
function canonicalToken(label: string, raw: string): string {
  return label === 'num' || label === 'bigint' || label === 'regexp' ? label : raw;
}
