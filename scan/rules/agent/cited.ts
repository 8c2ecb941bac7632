/** Whether text about bad instructions cites one, to warn of it. */
import { wordPattern } from '../../parse/word-list.ts';

/** Characters before a match that can introduce a quotation or a list. */
const BEFORE = 600;
const OPEN_TO_CLOSE: readonly (readonly [string, string])[] = [
  ['"', '"'],
  ['`', '`'],
  ['\u201c', '\u201d'],
  ['\u00ab', '\u00bb'],
  ['\u201e', '\u201c'],
  ['\u300c', '\u300d'],
];

/** What introduces an example of bad instructions. */
const WARNING = wordPattern(/WORDS/i, {
  'forbids or advises against it': [
    /\b(?:never|do not|don't|avoid|refuse|reject|ignore|beware|block|flag|report|distrust)\b/,
    /\b(?:niemals|nunca|jamais|mai)\b|(?:никогда|不要|禁止|決して)/,
  ],
  'names it bad': [
    /\b(?:malicious|suspicious|unsafe|dangerous|harmful|forbidden|wrong|bad|attack\w*|injection\w*|jailbreak\w*)\b/,
    /\b(?:red flags?|anti-?patterns?|warning signs?|untrusted)\b/,
    /(?:[\u274c\u26d4]|\ud83d\udeab)/,
  ],
  'names it an example': [
    /\b(?:such as|for example|e\.g\.|phrases? like|text like|look for|watch (?:out )?for)/,
  ],
});

/**
 * A quotation in a sentence that warns, an entry of a list that warns, or a code fence below text that warns.
 *
 * @param end offset after the instruction
 */
export function isCited(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - BEFORE), start);
  const lineBefore = before.slice(before.lastIndexOf('\n') + 1);
  const after = text.slice(end, end + BEFORE).split('\n', 1)[0] ?? '';
  const opened = openQuote(lineBefore, after);
  if (opened !== undefined && WARNING.test(lineBefore.slice(0, opened))) return true;
  const lead = leadOf(before, lineBefore);
  return lead !== undefined && WARNING.test(lead);
}

/** Where the quotation around the match opens in its line; `undefined` when it is in none. */
function openQuote(before: string, after: string): number | undefined {
  for (const [open, close] of OPEN_TO_CLOSE) {
    const at = before.lastIndexOf(open);
    if (at === -1 || !after.includes(close)) continue;
    const isSame = open === close;
    const isOpen = isSame ? before.split(open).length % 2 === 0 : !before.slice(at).includes(close);
    if (isOpen) return at;
  }
  return undefined;
}

/** The line that introduces the list or the code fence of the match. */
function leadOf(before: string, line: string): string | undefined {
  const lines = before
    .slice(0, before.length - line.length)
    .split('\n')
    .slice(0, -1);
  const isItem = LIST_ITEM.test(line);
  const fence = lines.findLastIndex((one) => /^\s{0,8}(?:```|~~~)/.test(one));
  const isFenced =
    fence !== -1 && lines.filter((one) => /^\s{0,8}(?:```|~~~)/.test(one)).length % 2 === 1;
  if (isFenced) return lines.slice(0, fence).findLast((one) => one.trim() !== '');
  if (!isItem) return undefined;
  const lead = lines.findLast((one) => one.trim() !== '' && !LIST_ITEM.test(one));
  // Only a line that introduces: a heading, or one that ends with a colon.
  return lead !== undefined && /^#|:[*_\s]{0,4}$/.test(lead) ? lead : undefined;
}

const LIST_ITEM = /^\s{0,8}(?:[-*+\u2022|]|\d{1,3}[.)])\s/;
