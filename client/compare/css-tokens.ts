/** The tokens of CSS, after CSS Syntax Module Level 3, section 4. Pure, linear. */

export interface CssToken {
  readonly kind:
    | 'space'
    | 'comment'
    | 'string'
    | 'url'
    | 'hash'
    | 'at'
    /** Number, percentage or dimension. */
    | 'number'
    | 'ident'
    /** A name with its opening parenthesis. */
    | 'function'
    /** One character. */
    | 'mark';
  readonly raw: string;
  readonly start: number;
}

const NAME = '(?:[-\\w\\u0080-\\uFFFF]|\\\\(?:[\\da-fA-F]{1,6}[ \\t\\n\\f]?|[^\\n\\da-fA-F]))';
const IDENT = `(?:--|-?(?:[a-zA-Z_\\u0080-\\uFFFF]|\\\\(?:[\\da-fA-F]{1,6}[ \\t\\n\\f]?|[^\\n\\da-fA-F])))${NAME}*`;

/** Tried in this order; each matches at the present offset only. */
const TOKENS: readonly (readonly [CssToken['kind'], RegExp])[] = [
  ['space', /[ \t\n\f]+/y],
  ['comment', /\/\*[^]*?\*\//y],
  ['string', /"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'/y],
  ['url', /url\([ \t\n\f]*(?![ \t\n\f"'])(?:[^"'()\\ \t\n\f]|\\[^\n])*[ \t\n\f]*\)/iy],
  ['number', new RegExp(`[-+]?(?:\\d*\\.\\d+|\\d+)(?:[eE][-+]?\\d+)?(?:%|${IDENT})?`, 'y')],
  ['hash', new RegExp(`#${NAME}+`, 'y')],
  ['at', new RegExp(`@${IDENT}`, 'y')],
  ['function', new RegExp(`${IDENT}\\(`, 'y')],
  ['ident', new RegExp(IDENT, 'y')],
  ['mark', /[^"'\\]/y],
];

/** The tokens; `undefined` for a text with a string or comment that does not end. */
export function tokenizeCss(text: string): CssToken[] | undefined {
  const tokens: CssToken[] = [];
  for (let at = 0; at < text.length;) {
    const token = tokenAt(text, at);
    if (token === undefined) return undefined;
    tokens.push(token);
    at += token.raw.length;
  }
  return tokens;
}

function tokenAt(text: string, start: number): CssToken | undefined {
  if (text.startsWith('/*', start) && !text.includes('*/', start + 2)) return undefined;
  for (const [kind, pattern] of TOKENS) {
    pattern.lastIndex = start;
    const raw = pattern.exec(text)?.[0];
    if (raw !== undefined) return { kind, raw, start };
  }
  return undefined;
}
