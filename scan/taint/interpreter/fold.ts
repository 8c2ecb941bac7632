/** Constant folding: evaluates functions on constant texts, with which obfuscated code hides its strings. */
import { Buffer } from 'node:buffer';
import { gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { HIDDEN_KEY, UNKNOWN } from '../value.ts';
import { wordsOf } from '../../parse/word-list.ts';
import type { Arguments } from './evaluator.ts';

const MAX_TEXT = 200_000;
/** Parts the two alphabets of a table for `translate`. */
const TABLE = `${HIDDEN_KEY}to${HIDDEN_KEY}`;
/** Methods that return the text, at most without the blanks around it. */
const KEEPS = new Set(
  wordsOf([
    'toString valueOf trim strip decode encode toLocaleString read rstrip lstrip',
    'expanduser resolve absolute as_posix prepare',
  ]),
);
const [FROM_BASE64, FROM_HEX, INFLATES] = [
  'atob base64.b64decode base64.urlsafe_b64decode base64.standard_b64decode binascii.a2b_base64 js-base64.decode',
  'bytes.fromhex builtins.bytes.fromhex bytearray.fromhex binascii.unhexlify binascii.a2b_hex base64.b16decode',
  'zlib.decompress zlib.inflateSync gzip.decompress zlib.gunzipSync zlib.inflateRawSync zlib.unzipSync',
].map((names) => new Set(wordsOf([names]))) as [Set<string>, Set<string>, Set<string>];

/** The result of a method on a constant text; `undefined` when it is not known. */
export function foldMethod(
  text: string,
  method: string,
  args: readonly (string | undefined)[],
): string | undefined {
  const [first, second] = args;
  if (KEEPS.has(method)) return text;
  switch (method) {
    case 'toLowerCase':
    case 'lower':
      return text.toLowerCase();
    case 'toUpperCase':
    case 'upper':
      return text.toUpperCase();
    case '$reverse':
      return text.split('').reverse().join('');
    case 'concat':
      return text + args.map((a) => a ?? UNKNOWN).join('');
    case 'repeat': {
      const count = Number(first);
      return count >= 0 && count * text.length < MAX_TEXT ? text.repeat(count) : undefined;
    }
    case 'replace':
    case 'replaceAll':
      if (first === undefined || second === undefined || first === '') return undefined;
      return text.replaceAll(first, () => second);
    case 'slice':
    case 'substring':
    case 'substr':
      if (first === undefined || !Number.isInteger(Number(first))) return undefined;
      if (second !== undefined && !Number.isInteger(Number(second))) return undefined;
      return method === 'substr'
        ? text.substr(Number(first), second === undefined ? undefined : Number(second))
        : text[method](Number(first), second === undefined ? undefined : Number(second));
    case 'charAt':
      return text.charAt(Number(first));
    // `text.translate(str.maketrans('abc', 'xyz'))`
    case 'translate': {
      const [from = '', to = ''] = (first ?? '').split(TABLE);
      return text.replaceAll(/[^]/gu, (one) => to[from.indexOf(one)] ?? one);
    }
    case 'format':
      return text.replaceAll(/\{[^{}]*\}/g, () => UNKNOWN);
    default:
      return undefined;
  }
}

/** The result of an API for constant texts; `undefined` when it is not known. */
export function foldCall(name: string, args: readonly (string | undefined)[]): string | undefined {
  const [first, second] = args;
  if (first === undefined || first.includes(UNKNOWN) || first.length > MAX_TEXT) return undefined;
  if (FROM_BASE64.has(name)) return decoded(first, 'base64');
  if (FROM_HEX.has(name)) return decoded(first, 'hex');
  if (INFLATES.has(name)) return inflated(first);
  switch (name) {
    case 'Buffer.from':
    case 'Buffer':
      if (second === 'base64' || second === 'base64url' || second === 'hex') {
        return decoded(first, second);
      }
      return first;
    case 'codecs.decode':
      if (second === 'rot13' || second === 'rot_13') return rot13(first);
      return second === 'hex' || second === 'base64' ? decoded(first, second) : undefined;
    case 'builtins.str.maketrans':
      return second?.length === first.length ? first + TABLE + second : undefined;
    case 'unescape':
    case 'decodeURIComponent':
    case 'decodeURI':
    case 'urllib.parse.unquote':
      return unescaped(first);
    case 'String.fromCharCode':
    case 'String.fromCodePoint':
    case 'builtins.chr': {
      const codes = args.map(Number);
      if (!codes.every((c) => Number.isInteger(c) && c >= 0 && c <= 0x10ffff)) return undefined;
      return codes.map((c) => String.fromCodePoint(c)).join('');
    }
    case 'path.join':
    case 'path.resolve':
    case 'os.path.join':
      return args
        .map((a) => a ?? UNKNOWN)
        .join('/')
        .replaceAll(/\/+/g, '/');
    default:
      return undefined;
  }
}

function decoded(text: string, encoding: 'base64' | 'base64url' | 'hex'): string | undefined {
  const clean = text.replaceAll(/\s/g, '');
  const isValid = encoding === 'hex' ? /^(?:[0-9a-f]{2})*$/i : /^[\w+/-]*={0,2}$/;
  if (!isValid.test(clean)) return undefined;
  const bytes = Buffer.from(clean, encoding);
  const text8 = bytes.toString('utf8');
  return text8.includes('\ufffd') ? bytes.toString('latin1') : text8;
}

function inflated(text: string): string | undefined {
  const bytes = Buffer.from(text, 'latin1');
  for (const inflate of [inflateSync, gunzipSync, inflateRawSync]) {
    try {
      return inflate(bytes, { maxOutputLength: MAX_TEXT }).toString('utf8');
    } catch {
      // The data is in another format.
    }
  }
  return undefined;
}

function unescaped(text: string): string {
  return text.replaceAll(/%u([0-9a-f]{4})|%([0-9a-f]{2})/gi, (_, long, short) =>
    String.fromCharCode(parseInt((long ?? short) as string, 16)),
  );
}

function rot13(text: string): string {
  return text.replaceAll(/[a-z]/gi, (c) => {
    const base = c <= 'Z' ? 65 : 97;
    return String.fromCharCode(((c.charCodeAt(0) - base + 13) % 26) + base);
  });
}

/** Arguments of one call that are folded. */
const MAX_ARGUMENTS = 2_000;

/** One text for each text of the first argument; none when the API `name` is not folded. */
export function foldTexts(name: string, args: Arguments): string[] {
  const lists = args.list.slice(0, MAX_ARGUMENTS).map((value) => value.texts);
  const [firsts = [], ...others] = lists;
  if (lists.length === 0) return [];
  const rest = others.map((texts) => texts[0]);
  const found: string[] = [];
  for (const first of firsts) {
    const folded = foldCall(name, [first, ...rest]);
    if (folded !== undefined) found.push(folded);
  }
  if (found.length === 0 && lists.flat().length > 0 && /path\.(?:join|resolve)$/.test(name)) {
    // A path with an unknown part keeps the others.
    const [first = UNKNOWN] = firsts;
    const folded = foldCall(name, [first.replaceAll(UNKNOWN, HIDDEN_KEY), ...rest]);
    if (folded !== undefined) found.push(folded.replaceAll(HIDDEN_KEY, UNKNOWN));
  }
  return found;
}
