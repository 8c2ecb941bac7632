/**
 * The names by which a project's code imports its own folders: `paths` of tsconfig.json and `imports` of
 * package.json. Matched as TypeScript and Node.js do: an exact name first, then the longest prefix. Pure.
 *
 *     { pattern: '@/*', targets: ['src/*'] }      { pattern: '#db', targets: ['src/db/index.js'] }
 */

/** A pattern with at most one `*`, and what it stands for, as paths of the project. */
export interface Alias {
  readonly pattern: string;
  readonly targets: readonly string[];
}

/** What the configuration of a project defines; empty without any. */
export interface Aliases {
  readonly aliases: readonly Alias[];
  /** Folder from which names without an alias are resolved: `baseUrl`. */
  readonly baseUrl: string | undefined;
}

/** Folders of the project by convention, and `imports` of package.json: no npm package has such a name. */
export function isAliasByConvention(name: string): boolean {
  return /^(?:[@~]\/|#|src\/)/.test(name);
}

/** The paths of the project that `@/a`, `~/a` and `src/a` stand for in most projects. */
export function conventionalPaths(name: string): readonly string[] {
  const [, root, path = ''] = /^([@~]|src)\/(.*)$/s.exec(name) ?? [];
  if (root === undefined) return [];
  return root === 'src' ? [name] : [`src/${path}`, path];
}

/** The paths of the project that the name `specifier` stands for, in the order in which they are tried. */
export function resolveAlias({ aliases, baseUrl }: Aliases, specifier: string): readonly string[] {
  const match = bestMatch(aliases, specifier);
  if (match !== undefined) {
    return match.alias.targets.map((target) => target.replace('*', () => match.star));
  }
  if (baseUrl === undefined || /^[.#/]|^[a-z]+:/.test(specifier)) return [];
  return [baseUrl === '' ? specifier : `${baseUrl}/${specifier}`];
}

/**
 * The shortest name for one of `paths` (spellings of one module); `undefined` where no alias reaches them.
 * @param preferred pattern that is taken where it reaches one of them
 */
export function aliasFor(
  all: Aliases,
  paths: readonly string[],
  preferred?: string,
): string | undefined {
  const names = all.aliases.flatMap(({ pattern, targets }) =>
    targets.flatMap((target) =>
      paths.flatMap((path) => {
        const star = starOf(target, path);
        if (star === undefined) return [];
        const name = pattern.replace('*', () => star);
        // A more specific pattern may stand in front of this one.
        const isReached = resolveAlias(all, name)[0] === path;
        return isReached ? [{ name, rank: pattern === preferred ? 0 : 1 }] : [];
      }),
    ),
  );
  names.sort((a, b) => a.rank - b.rank || a.name.length - b.name.length || compare(a.name, b.name));
  return names[0]?.name;
}

/** The pattern that matches `specifier`. */
export function patternOf({ aliases }: Aliases, specifier: string): string | undefined {
  return bestMatch(aliases, specifier)?.alias.pattern;
}

function bestMatch(
  aliases: readonly Alias[],
  specifier: string,
): { readonly alias: Alias; readonly star: string } | undefined {
  let best: { readonly alias: Alias; readonly star: string } | undefined;
  for (const alias of aliases) {
    if (alias.pattern === specifier) return { alias, star: '' };
    if (!alias.pattern.includes('*')) continue;
    const star = starOf(alias.pattern, specifier);
    if (star === undefined) continue;
    if (best === undefined || prefixOf(alias) > prefixOf(best.alias)) best = { alias, star };
  }
  return best;
}

/** What `*` of `pattern` stands for in `text`; `''` for an equal pattern without one. */
function starOf(pattern: string, text: string): string | undefined {
  const at = pattern.indexOf('*');
  if (at < 0) return pattern === text ? '' : undefined;
  const [before, after] = [pattern.slice(0, at), pattern.slice(at + 1)];
  if (text.length < before.length + after.length) return undefined;
  if (!text.startsWith(before) || !text.endsWith(after)) return undefined;
  return text.slice(before.length, text.length - after.length);
}

function prefixOf({ pattern }: Alias): number {
  return pattern.indexOf('*');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : 1;
}
