/** The licences of the SPDX list by the prints of their texts. */
import table from './license-prints.json' with { type: 'json' };
import { once } from '../once.ts';
import { byPath } from '../parse/by-path.ts';
import { likeness, parsePrint } from './license-print.ts';

const TEXTS: Readonly<Record<string, string>> = table.prints;

/** The print of the licence with the SPDX identifier `id`, `undefined` when the list has no text of it. */
export const knownPrint = byPath((id): Uint16Array | undefined =>
  Object.hasOwn(TEXTS, id) ? parsePrint(TEXTS[id]!) : undefined,
);

/** The licence of the list whose text is most like the one with `print`; the first one if several are equally alike. */
export const nearestLicense = once(
  (print: Uint16Array): { readonly id: string; readonly like: number } =>
    Object.keys(TEXTS)
      .map((id) => ({ id, like: likeness(print, knownPrint(id)!) }))
      .reduce((a, b) => (b.like > a.like ? b : a)),
);
