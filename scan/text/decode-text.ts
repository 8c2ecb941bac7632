/**
 * The text of a file as the program reads it that runs it: Node replaces what is not UTF-8, Python follows a `coding:` line
 * (PEP 263), compilers of TypeScript and PowerShell follow a byte order mark. One wrong byte hides nothing.
 */
import { isAscii } from 'node:buffer';
import { languageOf } from '../parse/syntax.ts';
import { contentType } from './content-type.ts';
import { fileKind, extensionOf } from './file-kind.ts';

interface DecodedText {
  /** Without byte order mark; `undefined` for what is not text. */
  readonly text: string | undefined;
  /** Why what runs may differ from `text`. */
  readonly gap?: string;
}

const NO_TEXT: DecodedText = { text: undefined };
const PROSE = new Set(['', 'md', 'mdx', 'mdc', 'markdown', 'rst', 'txt']);
/** Of the characters of a text that no language runs, at most this share is unreadable. */
const MAX_UNREADABLE = 0.3;

/** @param path decides, with the first line, which language the text is in */
export function decodeText(path: string, bytes: Uint8Array): DecodedText {
  const marked = utf16(bytes);
  if (marked !== undefined) return { text: marked };
  const language = languageOf(path, firstLine(bytes));
  if (language === 'python') {
    const coding = codingOf(bytes);
    if (coding !== undefined) return decodePython(bytes, coding);
  }
  const hasNul = bytes.includes(0);
  // A NUL is legal UTF-8, but no text has one.
  const text = hasNul ? undefined : strictUtf8(bytes);
  if (text !== undefined) return { text };
  if (language !== undefined) return { text: lenientUtf8(bytes) };
  return mayBeText(path, bytes) ? damagedText(bytes) : NO_TEXT;
}

function strictUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function lenientUtf8(bytes: Uint8Array): string {
  return new TextDecoder('utf-8').decode(bytes);
}

function utf16(bytes: Uint8Array): string | undefined {
  const mark = bytes.length < 2 ? 0 : bytes[0]! * 256 + bytes[1]!;
  if (mark !== 0xfffe && mark !== 0xfeff) return undefined;
  try {
    const label = mark === 0xfffe ? 'utf-16le' : 'utf-16be';
    const text = new TextDecoder(label, { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

function firstLine(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 200)).toString(
    'latin1',
  );
}

function mayBeText(path: string, bytes: Uint8Array): boolean {
  if (fileKind(path) === 'prose' && !PROSE.has(extensionOf(path))) return false;
  return ['unknown', 'script', 'html'].includes(contentType(bytes));
}

/** Shells ignore a NUL, and readers of settings and documents show what they cannot read as U+FFFD. */
function damagedText(bytes: Uint8Array): DecodedText {
  const whole = lenientUtf8(bytes);
  const text = whole.replaceAll('\0', '');
  const unreadable = whole.length - text.length + (text.match(/\uFFFD/g)?.length ?? 0);
  return unreadable > MAX_UNREADABLE * whole.length ? NO_TEXT : { text };
}

/** The encoding that one of the first two lines of Python names, as the tokenizer of CPython finds it. */
function codingOf(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 2_000));
  const isMarked = head.subarray(0, 3).toString('hex') === 'efbbbf';
  const lines = head.toString('latin1', isMarked ? 3 : 0).split(/\r\n?|\n/, 2);
  for (const line of lines) {
    const name = /^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)/.exec(line)?.[1];
    // Any other encoding than that of the mark is an error of Python.
    if (name !== undefined) return isMarked ? 'utf-8' : name;
    if (!/^[ \t\f]*(?:#.*)?$/.test(line)) return undefined;
  }
  return undefined;
}

function decodePython(bytes: Uint8Array, name: string): DecodedText {
  const coding = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  const latin1 = (): string =>
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  if (/^(?:u8|utf|utf-?8(?:-.*)?|cp65001|(?:us-)?ascii|646)$/.test(coding))
    return { text: lenientUtf8(bytes) };
  if (/^(?:l1|(?:iso-)?latin-?1(?:-.*)?|iso-?8859-1(?:-.*)?)$/.test(coding))
    return { text: latin1() };
  if (/^(?:u7|utf-?7|unicode-1-1-utf-7)$/.test(coding)) return { text: utf7(latin1()) };
  if (/^(?:raw-)?unicode-?escape$/.test(coding)) {
    const text = unescaped(latin1(), coding.startsWith('raw'));
    return text.includes('\\N{') ? { text, gap: 'it names characters by "\\N{...}"' } : { text };
  }
  const label = coding
    .replace(/^cp-?(125\d)$/, 'windows-$1')
    .replace(/^cp-?866$/, 'ibm866')
    .replace(/^(?:cp-?932|s-?jis)$/, 'shift-jis')
    .replace(/^(?:cp-?949|euckr)$/, 'euc-kr')
    .replace(/^cp-?936$/, 'gbk')
    .replace(/^(?:cp-?950|big5-.*)$/, 'big5')
    .replace(/^iso-?8859-(\d+)$/, 'iso-8859-$1')
    .replace(/^mac-?roman$/, 'macintosh')
    .replace(/^shift-jis$/, 'shift_jis');
  // Each reads ASCII as ASCII: what the tables of another runtime could differ in is in texts and comments.
  if (LABELS.test(label)) return { text: new TextDecoder(label).decode(bytes) };
  return isAscii(bytes) && ASCII_COMPATIBLE.test(coding)
    ? { text: latin1() }
    : { text: latin1(), gap: `its encoding "${name}" is not one that the checks decode` };
}

const LABELS =
  /^(?:windows-125\d|iso-8859-(?:[2-8]|1[0345]|16)|koi8-[ru]|ibm866|macintosh|gbk|gb2312|gb18030|big5|euc-(?:jp|kr)|shift_jis)$/;
const ASCII_COMPATIBLE =
  /^(?:cp-?(?:437|720|737|775|85[0-8]|86[0-35-9]|874|1006|1125)|mac-[a-z0-9]+|hp-?roman8|johab|kz-?1048|koi8-t|ptcp154|palmos|tis-?620|euc-jis[a-z0-9-]*)$/;

/** UTF-7 (RFC 2152): `+` begins base64 of UTF-16, `-` or any other character ends it. */
function utf7(text: string): string {
  return text.replaceAll(/\+([A-Za-z0-9+/]*)-?/g, (whole, encoded: string) => {
    if (encoded === '') return whole.endsWith('-') ? '+' : whole;
    const units = Buffer.from(encoded, 'base64');
    const even = Buffer.from(units.subarray(0, units.length - (units.length % 2)));
    return even.swap16().toString('utf16le');
  });
}

/** The encodings `unicode_escape` and `raw_unicode_escape` of Python: a `\x0a` in a comment ends it. */
function unescaped(text: string, isRaw: boolean): string {
  const escape = isRaw
    ? /\\(?:u([\da-fA-F]{4})|U([\da-fA-F]{8}))/g
    : /\\(?:u([\da-fA-F]{4})|U([\da-fA-F]{8})|x([\da-fA-F]{2})|([0-7]{1,3})|(\n|[\\'"abfnrtv]))/g;
  return text.replaceAll(escape, (whole, ...found: (string | undefined)[]) => {
    const [short, long, byte, octal, plain] = found;
    const hex = short ?? long ?? byte;
    if (!isRaw && plain !== undefined) return PLAIN[plain] ?? plain;
    const point = hex === undefined ? Number.parseInt(octal ?? '', 8) : Number.parseInt(hex, 16);
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });
}

const PLAIN: Readonly<Record<string, string>> = {
  '\n': '',
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};
