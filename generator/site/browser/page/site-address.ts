/** Addresses of this site, also below a folder of its host. */

/** The address of a path, without a leading `/`. */
export function siteAddress(path: string): string {
  const root = document.documentElement.dataset['root'] ?? './';
  return new URL(root + path, location.href).href;
}
