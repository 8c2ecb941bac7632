/** The name of a registry in a project: what the user calls it, as in `corp:acme/web`. */

/** The registry of builds that are added without a name; users cannot give this name to another one. */
export const DEFAULT_REGISTRY_NAME = 'default';

const MAX_NAME_LENGTH = 40;

/** 1 to 40 lower-case letters, digits and single dashes, beginning with a letter. */
export function isRegistryName(text: string): boolean {
  return text.length <= MAX_NAME_LENGTH && /^[a-z](?:-?[a-z0-9])*$/.test(text);
}
