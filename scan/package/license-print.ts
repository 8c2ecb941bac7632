/**
 * Prints of licence texts: they show how alike two texts are, without the texts. A print is a MinHash of the text's runs of
 * three words; the share of equal places estimates the share of runs that the texts have in common.
 */

const HASHES = 128;
/** A limit above the longest licence of the SPDX list. */
const MAX_TEXT = 120_000;

/** The words of a licence text, without the holder of the copyright and the layout. */
function wordsOf(text: string): string[] {
  return text
    .slice(0, MAX_TEXT)
    .toLowerCase()
    .replaceAll(/^[\s*#/;-]{0,20}(?:copyright|\(c\)|©|all rights reserved)[^\n]{0,300}$/gm, ' ')
    .replaceAll(/<[^<>\n]{1,60}>|\[[^[\]\n]{1,60}\]|\{[^{}\n]{1,60}\}/g, ' ')
    .replaceAll(/licen[cs]e/g, 'license')
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

/** Versions of a build, and builds of an owner, mostly have the same licence. */
let last: { readonly text: string; readonly print: Uint16Array } | undefined;

/** The print of `text`: 128 numbers of 16 bits. */
export function licensePrint(text: string): Uint16Array {
  if (last?.text !== text) last = { text, print: printOf(wordsOf(text)) };
  return last.print;
}

function printOf(words: readonly string[]): Uint16Array {
  const lowest = new Uint32Array(HASHES).fill(0xffffffff);
  for (let at = 0; at + 2 < words.length; at += 1) {
    const hash = fnv(`${words[at]} ${words[at + 1]} ${words[at + 2]}`);
    for (let place = 0; place < HASHES; place += 1) {
      const mixed = mix(hash ^ Math.imul(place + 1, 0x9e3779b1));
      if (mixed < lowest[place]!) lowest[place] = mixed;
    }
  }
  return Uint16Array.from(lowest, (value) => value & 0xffff);
}

/** The approximate share of their runs of words that two texts have in common, 0 to 1. */
export function likeness(a: Uint16Array, b: Uint16Array): number {
  let equal = 0;
  for (let place = 0; place < HASHES; place += 1) if (a[place] === b[place]) equal += 1;
  return equal / HASHES;
}

export function formatPrint(print: Uint16Array): string {
  const bytes = Buffer.alloc(HASHES * 2);
  print.forEach((value, place) => bytes.writeUInt16LE(value, place * 2));
  return bytes.toString('base64');
}

export function parsePrint(text: string): Uint16Array {
  const bytes = Buffer.from(text, 'base64');
  return Uint16Array.from({ length: HASHES }, (_, place) => bytes.readUInt16LE(place * 2));
}

function fnv(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** Spreads every bit of `value` over the result (the finisher of MurmurHash3). */
function mix(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
