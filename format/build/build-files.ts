/** The files of a build that have a meaning of their own, and the limits on a build's content. */

/** The manifest: the specification's `<registry>.json`. */
export const MANIFEST_FILE = 'stackyard.json';
/** Shown as `readme` in the package record; not installed by default. */
export const README_FILE = 'README.md';
/** Shown as `integration` in the package record; not installed by default. */
export const INTEGRATION_FILE = 'INTEGRATION.md';

const GIT_FILES: readonly string[] = ['.gitattributes', '.gitmodules'];

/** Whether git obeys a file in the repository that holds it: a registry accepts no build with such a file. */
export function steersGit(path: string): boolean {
  return GIT_FILES.includes(path.slice(path.lastIndexOf('/') + 1));
}

export const MAX_FILES = 10_000;
export const MAX_UNPACKED_BYTES = 100_000_000;
export const MAX_TARBALL_BYTES = 20_000_000;
/** A text that the record contains in full. */
export const MAX_TEXT_BYTES = 512_000;
