/** Stack tags: what a project has and what a build needs or adds, such as `express` or `auth`. */

/** A tag is a runtime, an npm package, a pip distribution or a word that builds agree on. */
export const STACK_TAG_PATTERN: RegExp =
  /^(?:@[a-z0-9][a-z0-9._-]{0,99}\/)?[a-z0-9][a-z0-9._-]{0,99}$/;

/** Whether `text` is a stack tag. */
export function isStackTag(text: string): boolean {
  return STACK_TAG_PATTERN.test(text);
}

/** The tag of `tag:database`, from which blocks of a guide import what docs/modules.md promises; `undefined` for another name. */
export function tagOfImport(specifier: string): string | undefined {
  const tag = specifier.startsWith('tag:') ? specifier.slice(4) : '';
  return isStackTag(tag) ? tag : undefined;
}
