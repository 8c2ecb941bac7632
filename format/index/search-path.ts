/**
 * The paths of the search data: a manifest, and files that a browser reads as a visitor types. They are not part of the
 * interface for clients: their form may change with any version of the software.
 */

const FOLDER = 'search/data';

/** It names the leaves and the pages of the order. */
export const SEARCH_MANIFEST_PATH = `${FOLDER}/manifest.json`;

/** The words that corrections know first, one in a line. */
export const FREQUENT_WORDS_PATH = `${FOLDER}/words.txt`;

/** The terms that begin with `name`. */
export function leafPath(name: string): string {
  return `${FOLDER}/terms-${escaped(name)}.bin`;
}

/** The builds with any term that begins with `name`. */
export function nodePath(name: string): string {
  return `${FOLDER}/beginning-${escaped(name)}.bin`;
}

/** A part of the order of all builds. @param page its name in the manifest */
export function orderPath(page: string): string {
  return `${FOLDER}/order-${page}.bin`;
}

/** What a result shows of the build with this number. */
export function searchBuildPath(number: number): string {
  return `${FOLDER}/build-${number}.json`;
}

/** Any text as part of a file name. */
function escaped(text: string): string {
  return text.replaceAll(/[^a-z0-9]/gu, (c) => `_${c.codePointAt(0)!.toString(16)}_`);
}
