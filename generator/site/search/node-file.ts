/** A node: the builds with any term that begins with its name, one list for each field of `BEGINNINGS`. */
import { ByteReader } from './byte-reader.ts';
import { pushNumbers, readNumbers } from './number-list.ts';
import { BEGINNINGS } from './search-terms.ts';

/** The bytes of a node. @param lists sorted and distinct, in the order of `BEGINNINGS` */
export function formatNode(lists: readonly (readonly number[])[]): Uint8Array {
  const out: number[] = [];
  for (const numbers of lists) pushNumbers(out, numbers);
  return Uint8Array.from(out);
}

/** The lists of a node. The inverse of `formatNode`. */
export function readNode(bytes: Uint8Array): number[][] {
  const reader = new ByteReader(bytes);
  return BEGINNINGS.map(() => readNumbers(reader));
}
