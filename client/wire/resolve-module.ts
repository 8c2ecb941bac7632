/** The file of a project that a module name stands for, as bundlers and compilers find it. Pure. */
import { type Aliases, resolveAlias } from '../plan/place/aliases.ts';
import { folderOf, resolvePath } from '../plan/place/paths.ts';

const ENDINGS = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs'];
const COMPILED = /\.([cm]?)jsx?$/;

/** @param has whether the project has a file of code at a path */
export function resolveModule(
  from: string,
  specifier: string,
  aliases: Aliases,
  has: (path: string) => boolean,
): string | undefined {
  const isRelative = /^\.\.?(?:\/|$)/.test(specifier);
  const own = isRelative ? resolvePath(folderOf(from), specifier) : undefined;
  const paths = isRelative ? (own === undefined ? [] : [own]) : resolveAlias(aliases, specifier);
  for (const path of paths) {
    const source = path.replace(COMPILED, '.$1ts');
    const names = [
      path,
      source,
      `${source}x`,
      ...ENDINGS.map((ending) => path + ending),
      ...ENDINGS.map((ending) => `${path === '' ? '' : `${path}/`}index${ending}`),
    ];
    const found = names.find(
      (name) => ENDINGS.some((ending) => name.endsWith(ending)) && has(name),
    );
    if (found !== undefined) return found;
  }
  return undefined;
}
