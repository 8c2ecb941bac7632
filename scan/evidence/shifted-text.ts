/**
 * Texts whose letters are all shifted (Caesar's cipher), in code that shifts letters: nothing decodes them before the code
 * runs, so every shift is tried here.
 *
 *     [..."dxwrh{hf"].map((c) => String.fromCharCode(c.charCodeAt(0) - 3))
 */
import { wordPattern } from '../parse/word-list.ts';

/** A text that reads as code after a shift. */
interface ShiftedText {
  /** Its beginning, shifted back. */
  readonly code: string;
  readonly start: number;
  readonly length: number;
}

/** A letter made from the number of another letter. */
const SHIFT = wordPattern(/WORDS/, {
  'JavaScript, first the number': [
    /c(?:harCode|odePoint)At\s{0,3}\([^]{0,300}?\.from(?:CharCode|CodePoint)\b/,
  ],
  'JavaScript, the number within the call': [
    /\.from(?:CharCode|CodePoint)\s{0,3}\([^\n]{0,120}?\.c(?:harCode|odePoint)At\b/,
  ],
  'Python, first the number': [/\bord\s{0,3}\([^]{0,300}?\bchr\s{0,3}\(/],
  'Python, the number within the call': [/\bchr\s{0,3}\([^\n]{0,120}?\bord\b/],
});
const LITERAL =
  /"((?:[^"\n\\]|\\.){0,20000})"?|'((?:[^'\n\\]|\\.){0,20000})'?|`((?:[^`\\]|\\.){0,20000})`?/g;
/** What no shift of a sentence or of a table yields. */
const READS_AS_CODE = wordPattern(/WORDS/, {
  modules: [/\brequire\(["']/, /\bimport [a-z_]{2,20}[\s;]/, '__import__('],
  programs: ['child_process', 'subprocess.', 'os.system(', 'powershell'],
  network: [/https?:\/\/[\w.-]{4}/, 'socket.', /\burlopen\(/],
  'calls of the language': ['console.log(', 'process.env', /\bfunction ?\(/],
});
const MIN_LITERAL = 30;
const MAX_LITERALS = 200;
/** Characters of a text that are tried with every shift. */
const MAX_TRIED = 400;
/** Letters further away are no letters any more. */
const MAX_SHIFT = 30;

/** The shifted texts in the code `text`; none where no code shifts letters. */
export function shiftedTexts(text: string): ShiftedText[] {
  if (!SHIFT.test(text)) return [];
  const found: ShiftedText[] = [];
  let count = 0;
  // Short ones too, so that no quotation mark of one begins another.
  for (const match of text.matchAll(LITERAL)) {
    const literal = match[1] ?? match[2] ?? match[3] ?? '';
    if (literal.length < MIN_LITERAL) continue;
    count += 1;
    if (count > MAX_LITERALS) break;
    const code = decoded(literal.slice(0, MAX_TRIED).replaceAll(/\\(.)/g, '$1'));
    if (code !== undefined) found.push({ code, start: match.index, length: match[0].length });
  }
  return found;
}

function decoded(text: string): string | undefined {
  // What reads as it is hides nothing.
  if (READS_AS_CODE.test(text)) return undefined;
  for (let by = 1; by <= MAX_SHIFT; by += 1) {
    for (const one of [shifted(text, by), shifted(text, -by), by < 26 ? turned(text, by) : '']) {
      if (READS_AS_CODE.test(one)) return one;
    }
  }
  return undefined;
}

/** Every character by its number. */
function shifted(text: string, by: number): string {
  let sum = '';
  for (let at = 0; at < text.length; at += 1) {
    sum += String.fromCharCode(Math.max(0, text.charCodeAt(at) + by));
  }
  return sum;
}

/** Letters within the alphabet; other characters stay. */
function turned(text: string, by: number): string {
  let sum = '';
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const base = code >= 97 && code <= 122 ? 97 : code >= 65 && code <= 90 ? 65 : 0;
    sum += String.fromCharCode(base === 0 ? code : ((code - base + by) % 26) + base);
  }
  return sum;
}
