/** The name of the build that an item becomes. Pure. */
import { isBuildName } from '../../format/build/build-id.ts';
import { lowerCase, normalize } from '../../format/unicode.ts';

const MAX_LENGTH = 50;

/** `Sidebar 07` becomes `sidebar-07`; `undefined` for a name without a letter or digit. */
export function tryBuildName(item: string): string | undefined {
  const name = lowerCase(normalize(item, 'NFKD').replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2'))
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replaceAll(/^-+|-+$/g, '');
  return isBuildName(name) ? name : undefined;
}
