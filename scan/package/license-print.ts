/**
 * Prints of licence texts: they show how alike two texts are, without the texts. A print is a MinHash of the text's runs of
 * three words; the share of equal places estimates the share of runs that the texts have in common.
 */
import table from './license-prints.json' with { type: 'json' };

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

/** The print of `text`: 128 numbers of 16 bits. */
export function licensePrint(text: string): Uint16Array {
  const words = wordsOf(text);
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

/** The licences of the SPDX list by the prints of their texts, each print parsed once per process. */
const TEXTS: Readonly<Record<string, string>> = table.prints;
const PRINTS = new Map<string, Uint16Array>();

/** Most builds have one of a few texts; a text that was evicted is only read again. */
const MAX_READ = 64;
const READ = new Map<string, LicenseText>();

/** A licence text's print, and the licence that it is most like. */
interface LicenseText {
  readonly print: Uint16Array;
  /** The licence of the list that is most like the text; the first one if several are equally alike. */
  readonly nearest: { readonly id: string; readonly like: number };
}

/** The print of the licence with the SPDX identifier `id`, `undefined` when the list has no text of it. */
export function knownPrint(id: string): Uint16Array | undefined {
  const text = Object.hasOwn(TEXTS, id) ? TEXTS[id] : undefined;
  if (text === undefined) return undefined;
  const print = PRINTS.get(id) ?? parsePrint(text);
  PRINTS.set(id, print);
  return print;
}

/** The print of `text` and its nearest licence; the texts that were read last are remembered. */
export function readLicenseText(text: string): LicenseText {
  const known = READ.get(text);
  // The order of a Map is that of insertion: a text that is used again becomes the newest.
  if (known !== undefined) READ.delete(text);
  else if (READ.size >= MAX_READ) READ.delete(READ.keys().next().value!);
  const read = known ?? new ReadText(text);
  READ.set(text, read);
  return read;
}

class ReadText implements LicenseText {
  readonly print: Uint16Array;
  #nearest: LicenseText['nearest'] | undefined;

  constructor(text: string) {
    this.print = licensePrint(text);
  }

  get nearest(): LicenseText['nearest'] {
    return (this.#nearest ??= nearestOf(this.print));
  }
}

function nearestOf(print: Uint16Array): LicenseText['nearest'] {
  return Object.keys(TEXTS)
    .map((id) => ({ id, like: likeness(print, knownPrint(id)!) }))
    .reduce((a, b) => (b.like > a.like ? b : a));
}
