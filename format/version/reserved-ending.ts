/** Endings that the paths of the index give a meaning, so that no version may have them. */

/** `<version>.capabilities.json` holds what the code of a version can do. */
export const CAPABILITIES_ENDING = '.capabilities';

/** `<version>.provenance.json` states where a version comes from. */
export const PROVENANCE_ENDING = '.provenance';

/** Whether a version has such an ending. */
export function hasReservedEnding(version: string): boolean {
  return version.endsWith(CAPABILITIES_ENDING) || version.endsWith(PROVENANCE_ENDING);
}
