/** Strings of Python: where they end, and what they hold, whichever quotes and escapes a formatter chose. Pure. */
import { lowerCase, upperCase } from '../../../format/unicode.ts';

/** How deeply strings may be nested in fields of formatted strings. */
const MAX_NESTING = 20;

/**
 * The offset after the string that begins at `start`; `undefined` where it does not end.
 * @param opening its prefix and its first quote
 */
export function readString(
  text: string,
  start: number,
  opening: string,
  depth = 0,
): number | undefined {
  if (depth > MAX_NESTING) return undefined;
  const quote = opening.at(-1)!;
  const at = start + opening.length - 1;
  const delimiter = text.startsWith(quote.repeat(3), at) ? quote.repeat(3) : quote;
  const isFormatted = /[ft]/i.test(opening);
  for (let here = at + delimiter.length; here < text.length; here += 1) {
    const c = text[here]!;
    if (c === '\\') here += 1;
    else if (text.startsWith(delimiter, here)) return here + delimiter.length;
    else if (c === '\n' && delimiter.length === 1) return undefined;
    else if (c === '{' && isFormatted) {
      if (text[here + 1] === '{') here += 1;
      else {
        const end = fieldEnd(text, here + 1, depth);
        if (end === undefined) return undefined;
        here = end - 1;
      }
    }
  }
  return undefined;
}

/** A field of a formatted string: its expression, its conversion and format, and the offset after its brace. */
interface Field {
  readonly expression: string;
  readonly conversion: string;
  readonly format: string;
}

/** A string as a sequence of texts and fields. */
export type StringPart = string | Field;

interface ParsedString {
  /** `b`, `r`, `t`, and `f` for a formatted string, in this order. */
  readonly flags: string;
  readonly parts: readonly StringPart[];
}

/** @param raw a whole string with its prefix and quotes */
export function parseString(raw: string): ParsedString {
  const prefix = lowerCase(/^[a-z]*/i.exec(raw)![0]);
  const quotes = /^("""|'''|"|')/.exec(raw.slice(prefix.length))?.[0] ?? '"';
  const body = raw.slice(prefix.length + quotes.length, raw.length - quotes.length);
  const flags = ['b', 'r', 't', 'f'].filter((flag) => prefix.includes(flag)).join('');
  const isRaw = prefix.includes('r');
  if (!/[ft]/.test(flags)) return { flags, parts: [textOf(body, isRaw)] };
  const parts: StringPart[] = [];
  let from = 0;
  for (let at = 0; at < body.length; at += 1) {
    const c = body[at]!;
    if (c === '\\' && !isRaw) at += 1;
    else if (c === '{' && body[at + 1] === '{') at += 1;
    else if (c === '{') {
      parts.push(literalOf(body.slice(from, at), isRaw));
      const end = fieldEnd(body, at + 1, 0) ?? body.length;
      parts.push(parseField(body.slice(at + 1, end - 1)));
      from = end;
      at = end - 1;
    }
  }
  parts.push(literalOf(body.slice(from), isRaw));
  return { flags, parts };
}

/** Text between the fields of a formatted string. */
function literalOf(text: string, isRaw: boolean): string {
  return textOf(text.replaceAll('{{', '{').replaceAll('}}', '}'), isRaw);
}

/** The text with unescaped quotes, and escapes in one case. */
function textOf(text: string, isRaw: boolean): string {
  if (isRaw) return text;
  return text.replaceAll(
    /\\(?:(["'])|(x[\da-f]{2}|u[\da-f]{4}|U[\da-f]{8})|(N\{[^}]*\})|[^])/gi,
    (escape: string, quote?: string, code?: string, name?: string) => {
      if (quote !== undefined) return quote;
      // `\X` and `\n{` are no such escapes.
      if (code !== undefined && /^[xuU]/.test(code))
        return `\\${code[0]}${lowerCase(code.slice(1))}`;
      return name?.startsWith('N') === true ? `\\${upperCase(name)}` : escape;
    },
  );
}

/** The offset after the brace that ends the field whose content begins at `start`. */
function fieldEnd(text: string, start: number, depth: number): number | undefined {
  const brackets: string[] = [];
  // The format of a field may have fields.
  let isFormat = false;
  for (let at = start; at < text.length; at += 1) {
    const c = text[at]!;
    if (!isFormat && (c === '"' || c === "'")) {
      // Letters before a quote are the prefix of the string.
      const prefix = /[rbuft]{0,2}$/i.exec(text.slice(Math.max(start, at - 2), at))?.[0] ?? '';
      const end = readString(text, at - prefix.length, prefix + c, depth + 1);
      if (end === undefined) return undefined;
      at = end - 1;
    } else if (c === '{' || (!isFormat && (c === '(' || c === '['))) brackets.push(c);
    else if (c === '}' && brackets.length === 0) return at + 1;
    else if (c === '}' || (!isFormat && (c === ')' || c === ']'))) brackets.pop();
    else if (c === ':' && brackets.length === 0) isFormat = true;
  }
  return undefined;
}

function parseField(content: string): Field {
  const brackets: string[] = [];
  for (let at = 0; at < content.length; at += 1) {
    const c = content[at]!;
    if (c === '"' || c === "'") {
      const prefix = /[rbuft]{0,2}$/i.exec(content.slice(Math.max(0, at - 2), at))?.[0] ?? '';
      at = (readString(content, at - prefix.length, prefix + c) ?? content.length) - 1;
    } else if ('([{'.includes(c)) brackets.push(c);
    else if (')]}'.includes(c)) brackets.pop();
    else if (brackets.length > 0) continue;
    else if (c === '!' && content[at + 1] !== '=') {
      const colon = content.indexOf(':', at);
      const end = colon === -1 ? content.length : colon;
      return {
        expression: content.slice(0, at),
        conversion: content.slice(at, end).trim(),
        format: content.slice(end),
      };
    } else if (c === ':') {
      return { expression: content.slice(0, at), conversion: '', format: content.slice(at) };
    }
  }
  return { expression: content, conversion: '', format: '' };
}
