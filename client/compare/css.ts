/**
 * The canonical form of CSS: its tokens, with white space only where it may mean something, such as between two
 * selectors. Values and selectors keep their case; numbers, units, hexadecimal colours and the
 * names of properties have one form.
 */
import { canonicalComment } from './comment.ts';
import { tokenizeCss } from './css-tokens.ts';
import type { CssToken } from './css-tokens.ts';
import { canonicalString } from './literal.ts';
import { lowerCase } from '../../format/unicode.ts';

/** What a statement is: which white space means nothing depends on it. */
type Place = 'selector' | 'condition' | 'prelude' | 'value' | 'custom';

interface Statement {
  readonly place: Place;
  /** The offset after its last token, which is `;`, `{` or the token before `}`. */
  readonly end: number;
  /** The offset of the colon of a declaration; -1 for none. */
  readonly colon: number;
}

const CONDITIONS = new Set(['@media', '@supports', '@container', '@import', '@custom-media']);

/** Marks beside which white space means nothing. */
const TIGHT: Readonly<Record<Place, RegExp>> = {
  selector: /^[,>~+=()[\]{};]$/,
  condition: /^[,:<>=()[\]{};]$/,
  prelude: /^[,()[\]{};]$/,
  value: /^[,/*!()[\]{};:]$/,
  custom: /^[,/*!()[\]{};:]$/,
};

/** The canonical form; `undefined` where the text is no CSS. */
export function canonicalCss(text: string): readonly string[] | undefined {
  const tokens = tokenizeCss(text);
  if (tokens === undefined) return undefined;
  const parts: string[] = [];
  let depth = 0;
  for (let at = 0; at < tokens.length;) {
    const token = tokens[at]!;
    if (token.kind === 'space' || token.kind === 'comment' || token.raw === ';') {
      if (token.kind === 'comment') parts.push(canonicalComment(token.raw, text, token.start));
      at += 1;
    } else if (token.raw === '}') {
      depth -= 1;
      if (depth < 0) return undefined;
      parts.push('}');
      at += 1;
    } else {
      const statement = readStatement(tokens, at);
      if (statement === undefined) return undefined;
      parts.push(...new StatementForm(tokens, at, statement, text).parts);
      const opens = tokens[statement.end - 1]?.raw === '{' && statement.place !== 'custom';
      if (opens) depth += 1;
      at = statement.end;
    }
  }
  return depth === 0 ? parts : undefined;
}

/** Finds the end of the statement that begins at `start`; `undefined` where brackets do not match. */
function readStatement(tokens: readonly CssToken[], start: number): Statement | undefined {
  const first = tokens[start]!;
  const colon = colonAfter(tokens, start);
  const isCustom = colon > 0 && first.raw.startsWith('--');
  const brackets: string[] = [];
  for (let at = start; at < tokens.length; at += 1) {
    const { kind, raw } = tokens[at]!;
    const close = kind === 'function' ? ')' : { '(': ')', '[': ']', '{': '}' }[raw];
    if (brackets.length === 0 && kind === 'mark') {
      if (raw === '}') return { place: placeOf(first, isCustom, colon), end: at, colon };
      if (raw === ';') return { place: placeOf(first, isCustom, colon), end: at + 1, colon };
      // A custom property may hold a block; of other statements it is the body.
      if (raw === '{' && !isCustom)
        return { place: placeOf(first, false, -1), end: at + 1, colon: -1 };
    }
    if (kind !== 'mark' && kind !== 'function') continue;
    if (close !== undefined) brackets.push(close);
    else if (/^[)\]}]$/.test(raw) && brackets.pop() !== raw) return undefined;
  }
  if (brackets.length > 0) return undefined;
  return { place: placeOf(first, isCustom, colon), end: tokens.length, colon };
}

/** The offset of the colon after a name at `start`; -1 for none. */
function colonAfter(tokens: readonly CssToken[], start: number): number {
  if (tokens[start]?.kind !== 'ident') return -1;
  let at = start + 1;
  while (tokens[at]?.kind === 'space' || tokens[at]?.kind === 'comment') at += 1;
  return tokens[at]?.raw === ':' ? at : -1;
}

function placeOf(first: CssToken, isCustom: boolean, colon: number): Place {
  if (isCustom) return 'custom';
  if (first.kind === 'at') return CONDITIONS.has(lowerCase(first.raw)) ? 'condition' : 'prelude';
  return colon > 0 ? 'value' : 'selector';
}

class StatementForm {
  readonly parts: string[] = [];
  readonly #place: Place;
  #hasSpace = false;
  /** The last token that is no white space and no comment. */
  #last: CssToken | undefined;
  /** Open brackets; those of `:nth-child(` and such, and of attributes, are named. */
  readonly #brackets: string[] = [];

  constructor(tokens: readonly CssToken[], start: number, statement: Statement, text: string) {
    this.#place = statement.place;
    for (let at = start; at < statement.end; at += 1) {
      const token = tokens[at]!;
      if (token.kind === 'space') this.#hasSpace = true;
      else if (token.kind === 'comment') {
        this.parts.push(canonicalComment(token.raw, text, token.start));
      } else this.#add(token, at < statement.colon, at === statement.colon);
    }
    // The last declaration of a block may end without it.
    if (this.parts.at(-1) !== '{' && this.parts.at(-1) !== ';') this.parts.push(';');
  }

  #add(token: CssToken, isName: boolean, isColon: boolean): void {
    const { raw, kind } = token;
    if (this.#needsSpace(token) && !isColon) this.parts.push(' ');
    this.#hasSpace = false;
    const inside = this.#brackets.at(-1);
    if (kind === 'function') this.#brackets.push(/^nth-/i.test(raw) ? 'nth' : '(');
    else if (raw === '(' || raw === '[' || raw === '{') this.#brackets.push(raw);
    else if (/^[)\]}]$/.test(raw)) this.#brackets.pop();
    if (inside === 'nth' && raw === 'of') this.#brackets[this.#brackets.length - 1] = '(';
    this.#last = isColon ? undefined : token;
    // `2n+1` is two tokens, and `2n + 1` are three: their characters are the same.
    if (inside === 'nth' && raw !== ')' && raw !== 'of')
      this.parts.push(...lowerCase(raw).split(''));
    else this.parts.push(isName ? propertyName(raw) : this.#form(token, inside));
  }

  #needsSpace({ kind, raw }: CssToken): boolean {
    if (!this.#hasSpace || this.#last === undefined) return false;
    if (this.#brackets.at(-1) === 'nth' && raw !== 'of') return false;
    const tight = TIGHT[this.#place];
    const last = this.#last;
    // White space before an opening bracket separates: `and (`, `a [b]`.
    const isTightBefore = kind === 'mark' && tight.test(raw) && !/^[([]$/.test(raw);
    const isTightAfter = last.kind === 'function' || (last.kind === 'mark' && tight.test(last.raw));
    // ... and so does white space after a closing one.
    return !isTightBefore && !(isTightAfter && !/^[)\]]$/.test(last.raw));
  }

  #isValue(): boolean {
    return this.#place === 'value' || this.#place === 'custom';
  }

  #form({ kind, raw }: CssToken, inside: string | undefined): string {
    if (kind === 'string') return `"${canonicalString(raw)}"`;
    if (kind === 'number') return canonicalNumber(raw);
    if (kind === 'at') return lowerCase(raw);
    // `[a=b]` is `[a="b"]`.
    const isValue = inside === '[' && this.parts.at(-1) === '=';
    if (kind === 'ident' && isValue && !raw.includes('\\')) return `"${raw}"`;
    const isColour = kind === 'hash' && this.#isValue() && /^#[\da-f]{3,8}$/i.test(raw);
    return isColour || this.parts.at(-1) === '!' ? lowerCase(raw) : raw;
  }
}

function propertyName(raw: string): string {
  return raw.startsWith('--') ? raw : lowerCase(raw);
}

/** `+.50E3PX` as `+0.5e3px`. */
function canonicalNumber(raw: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '', unit = ''] =
    /^([-+]?)(\d*)(?:\.(\d+))?(?:[eE]\+?(-?\d+))?(.*)$/s.exec(raw) ?? [];
  const digits = fraction.replace(/0+$/, '');
  const start = whole.replace(/^0+(?=\d)/, '') || '0';
  const power = exponent === '' ? '' : `e${exponent}`;
  return `${sign}${start}${digits === '' ? '' : `.${digits}`}${power}${lowerCase(unit)}`;
}
