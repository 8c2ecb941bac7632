/**
 * Code that is written as numbers, hex, base64 or shifted letters, so that no reader and no search finds it. Only text
 * that decodes to code that starts programs or opens connections is reported.
 *
 *     [114,101,113,117,105,114,101,40,...]     require("child_process")...
 */
import type { Finding } from '../../../format/finding/finding.ts';
import { findingIn, ruleOfFiles } from '../../rule.ts';
import type { ScannedFile } from '../../scanned-file.ts';
import { shiftedTexts } from '../../evidence/shifted-text.ts';
import { isTestPath } from '../../text/file-kind.ts';
import { languageOf } from '../../parse/syntax.ts';
import { longRun } from '../../parse/long-run.ts';
import { wordPattern } from '../../parse/word-list.ts';
import { quote } from '../../text/quote.ts';

const NUMBERS = /[[(]([\s\d,]{80,60000})[\])]/g;
const HEX = /["'`]((?:[0-9a-f]{2}){20,30000})["'`]/gi;
const BASE64 = /["'`]([A-Za-z0-9+/]{40,60000}={0,2})["'`]/g;
const mayHoldNumbers = longRun(/[\s\d,]/, 80);
/** Of hex or base64. */
const mayHoldLetters = longRun(/[A-Za-z0-9+/]/, 40);
/** Decoded text is reported only when it matches one of these. */
const STARTS_OR_CONNECTS = wordPattern(/WORDS/i, {
  'starts programs in JavaScript or Python': [
    'child_process',
    'os.system',
    /\bsubprocess\b/,
    /\.exec(?:Sync)?\(/,
  ],
  'starts programs on Windows': ['WScript.Shell', 'ActiveXObject', /\bIEX\b/],
  shells: [/\/bin\/(?:ba)?sh\b/, 'powershell'],
  'opens connections': [/\bcurl +-/, /\bwget +/, 'socket.socket', /\burlopen\b/],
});
const MAX_STRINGS = 500;
const MAX_PER_FILE = 3;

export const spelledCode = ruleOfFiles('spelled-code', checkFile);

function checkFile(file: ScannedFile): Finding[] {
  const { text, path } = file;
  if (text === undefined || languageOf(path, text) === undefined) return [];
  const numbers = mayHoldNumbers(text) ? each(text, NUMBERS, 'numbers', fromNumbers) : [];
  const letters = mayHoldLetters(text)
    ? [
        ...each(text, HEX, 'hex', (body) => Buffer.from(body, 'hex').toString('latin1')),
        ...each(text, BASE64, 'base64', (body) => Buffer.from(body, 'base64').toString('latin1')),
      ]
    : [];
  const shifted = shiftedTexts(text)
    .filter(({ code }) => STARTS_OR_CONNECTS.test(code))
    .map((one) => ({ ...one, how: 'shifted letters' }));
  return [...numbers, ...letters, ...shifted]
    .slice(0, MAX_PER_FILE)
    .map(({ how, code, start, length }) => {
      const args = { how, code: quote(code) };
      const level = isTestPath(path) ? 'info' : 'warn';
      return findingIn(file, 'spelled-code', args, start, Math.min(length, 200), level);
    });
}

interface Spelled {
  readonly how: string;
  readonly code: string;
  readonly start: number;
  readonly length: number;
}

function each(
  text: string,
  pattern: RegExp,
  how: string,
  decode: (body: string) => string,
): Spelled[] {
  const found: Spelled[] = [];
  let count = 0;
  for (const match of text.matchAll(pattern)) {
    count += 1;
    if (count > MAX_STRINGS) break;
    const code = decode(match[1]!);
    // Images, keys and wasm decode to bytes, not to text.
    if (!isText(code) || !STARTS_OR_CONNECTS.test(code)) continue;
    found.push({ how, code, start: match.index, length: match[0].length });
  }
  return found;
}

function fromNumbers(body: string): string {
  const numbers = body.split(',').map(Number);
  return numbers.every((n) => n >= 0 && n < 256)
    ? String.fromCharCode(...numbers.slice(0, 20_000))
    : '';
}

function isText(code: string): boolean {
  return /^[\t\n\r\x20-\x7E]{10}/.test(code) && !/[^\t\n\r\x20-\x7E]/.test(code.slice(0, 500));
}
