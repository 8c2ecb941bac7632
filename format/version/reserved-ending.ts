/** Endings that the paths of the index give a meaning, so that no version may have them. */

/** `<version>.capabilities.json` holds what the code of a version can do. */
export const CAPABILITIES_ENDING = '.capabilities';
