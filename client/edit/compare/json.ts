/** The canonical form of JSON with comments: its tokens without commas. Pure. */
import { createScanner, type ParseError, parseTree } from 'jsonc-parser';
import { canonicalComment } from './comment.ts';
import { canonicalNumber } from './literal.ts';

// The package declares them as `const enum`, which erasable syntax cannot read.
const [COMMA, NUMBER, LINE_COMMENT, BLOCK_COMMENT, LINE_BREAK, TRIVIA, END] = [
  5, 11, 12, 13, 14, 15, 17,
];

/** The tokens of a JSON text without its commas; `undefined` where it has a syntax error. */
export function canonicalJson(text: string): readonly string[] | undefined {
  const errors: ParseError[] = [];
  parseTree(text, errors, { allowTrailingComma: true });
  if (errors.length > 0) return undefined;
  const scanner = createScanner(text);
  const tokens: string[] = [];
  for (let kind: number = scanner.scan(); kind !== END; kind = scanner.scan()) {
    // The text is valid: commas only separate, and the other tokens alone give its structure.
    if (kind === COMMA || kind === LINE_BREAK || kind === TRIVIA) continue;
    const start = scanner.getTokenOffset();
    const raw = text.slice(start, start + scanner.getTokenLength());
    const isComment = kind === LINE_COMMENT || kind === BLOCK_COMMENT;
    if (isComment) tokens.push(canonicalComment(raw, text, start));
    else tokens.push(kind === NUMBER ? canonicalNumber(raw) : raw);
  }
  return tokens;
}
