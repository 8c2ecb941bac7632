/** The licences of the SPDX list by the prints of their texts. */
import table from './license-prints.json' with { type: 'json' };
import { likeness, parsePrint } from './license-print.ts';

const TEXTS: Readonly<Record<string, string>> = table.prints;
/** Each is parsed once per process. */
const PRINTS = new Map<string, Uint16Array>();

/** The print of the licence with the SPDX identifier `id`, `undefined` when the list has no text of it. */
export function knownPrint(id: string): Uint16Array | undefined {
  const text = Object.hasOwn(TEXTS, id) ? TEXTS[id] : undefined;
  if (text === undefined) return undefined;
  const print = PRINTS.get(id) ?? parsePrint(text);
  PRINTS.set(id, print);
  return print;
}

/** The licence of the list whose text is most like the one with `print`; the first one if several are equally alike. */
export function nearestLicense(print: Uint16Array): { readonly id: string; readonly like: number } {
  return Object.keys(TEXTS)
    .map((id) => ({ id, like: likeness(print, knownPrint(id)!) }))
    .reduce((a, b) => (b.like > a.like ? b : a));
}
