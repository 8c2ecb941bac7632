/** The licences of the SPDX list by the prints of their texts. */
import table from './license-prints.json' with { type: 'json' };
import { licensePrint, likeness, parsePrint } from './license-print.ts';

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
