/**
 * The order among equal matches, as pages of numbers of builds, best first. Some numbers end a page wherever they
 * stand, so a build that moves changes the page that it leaves and the one that it enters, and no other.
 */
import { ByteReader, pushVarint } from './byte-reader.ts';

/** On average. */
export const PAGE_BUILDS = 512;

/** The name of the page that no number ends. */
const LAST_PAGE = 'rest';

/** The pages by name, best first; a page has the name of the number that ends it. */
export function pagesOf(ordered: readonly number[]): Map<string, Uint8Array> {
  const pages = new Map<string, Uint8Array>();
  let page: number[] = [];
  for (const number of ordered) {
    pushVarint(page, number);
    if (!endsPage(number)) continue;
    pages.set(String(number), Uint8Array.from(page));
    page = [];
  }
  if (page.length > 0) pages.set(LAST_PAGE, Uint8Array.from(page));
  return pages;
}

/** The numbers of a page. */
export function readPage(bytes: Uint8Array): number[] {
  const reader = new ByteReader(bytes);
  const numbers: number[] = [];
  while (!reader.isAtEnd) numbers.push(reader.varint());
  return numbers;
}

/** One number in `PAGE_BUILDS`, spread over all of them by the golden ratio. */
function endsPage(number: number): boolean {
  return Math.imul(number + 1, 0x9e_37_79_b1) >>> 23 === 0;
}
