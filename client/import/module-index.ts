/**
 * The modules of all items, by the names that code of items may call them: at their place in the project, by the alias
 * `@/`, and at their place in the registry (`@/registry/new-york/ui/button`, `../ui/button`). Pure.
 */
import { joinPath, resolvePath } from '../place/layout.ts';
import { ALIAS_FOLDERS } from './project-path.ts';

/** A file of an item. */
export interface ItemModule {
  readonly item: string;
  /** In the registry. */
  readonly source: string;
  /** In the project. */
  readonly place: string;
}

/** A module that a name reaches, called as in the name: with or without its ending, or as a folder. */
export interface FoundModule {
  readonly item: string;
  readonly path: string;
}

const ENDING = /\.(?:d\.[mc]?ts|[mc]?[jt]s|[jt]sx|json|css|vue|svelte|astro)$/;
const COMPILED: Readonly<Record<string, string>> = {
  '.ts': '.js',
  '.tsx': '.js',
  '.mts': '.mjs',
  '.cts': '.cjs',
};
/** Names of files of registries, as shadcn reads them. */
const REGISTRY_KIND = /^registry\/(?:[^/]+\/)*?(ui|components|hooks|lib)\/(.+)$/;

export class ModuleIndex {
  readonly #root: string;
  readonly #bySource = new Map<string, FoundModule[]>();
  readonly #byPlace = new Map<string, FoundModule[]>();

  /** @param root the folder of sources in the project */
  constructor(modules: readonly ItemModule[], root: string) {
    this.#root = root;
    for (const { item, source, place } of modules) {
      for (const [name, path] of names(source, place)) add(this.#bySource, name, { item, path });
      for (const [name, path] of names(place, place)) add(this.#byPlace, name, { item, path });
    }
  }

  /** The modules that `specifier` may mean in a file at `source`, which is placed at `place`; empty for a package. */
  find(specifier: string, source: string, place: string): readonly FoundModule[] {
    if (/^\.\.?(?:\/|$)/.test(specifier)) {
      const atSource = resolvePath(folderOf(source), specifier);
      const atPlace = resolvePath(folderOf(place), specifier);
      return [...this.#get(this.#bySource, atSource), ...this.#get(this.#byPlace, atPlace)];
    }
    const name = /^[@~]\/(.+)$/s.exec(specifier)?.[1];
    if (name === undefined) return [];
    const [, kind = '', rest = ''] = REGISTRY_KIND.exec(name) ?? [];
    const folder = ALIAS_FOLDERS[kind];
    return [
      ...this.#get(this.#bySource, name),
      ...this.#get(this.#bySource, joinPath('src', name)),
      ...this.#get(this.#byPlace, joinPath(this.#root, name)),
      ...this.#get(this.#byPlace, name),
      ...(folder === undefined
        ? []
        : this.#get(this.#byPlace, joinPath(this.#root, joinPath(folder, rest)))),
    ];
  }

  #get(map: ReadonlyMap<string, FoundModule[]>, name: string | undefined): FoundModule[] {
    return (name === undefined ? undefined : map.get(name)) ?? [];
  }
}

/** The name by which the project has what a registry calls `@/registry/new-york/ui/button`. */
export function projectAlias(specifier: string): string | undefined {
  const [, kind = '', rest = ''] = REGISTRY_KIND.exec(specifier.replace(/^@\//, '')) ?? [];
  const folder = specifier.startsWith('@/') ? ALIAS_FOLDERS[kind] : undefined;
  return folder === undefined ? undefined : `@/${folder}/${rest}`;
}

/** Every name of a file at `path`, with the name of the same form of one at `place`. */
function names(path: string, place: string): [string, string][] {
  const [ending = ''] = ENDING.exec(path) ?? [];
  const [placeEnding = ''] = ENDING.exec(place) ?? [];
  const stem = path.slice(0, path.length - ending.length);
  const placeStem = place.slice(0, place.length - placeEnding.length);
  const all: [string, string][] = [[path, place]];
  if (ending === '') return all;
  all.push([stem, placeStem]);
  const compiled = COMPILED[ending];
  if (compiled !== undefined) all.push([stem + compiled, placeStem + compiled]);
  const isIndex = /(?:^|\/)index$/;
  if (isIndex.test(stem)) {
    const folder = folderOf(stem);
    all.push([folder, isIndex.test(placeStem) ? folderOf(placeStem) : placeStem]);
  }
  return all;
}

function add(map: Map<string, FoundModule[]>, name: string, found: FoundModule): void {
  const known = map.get(name);
  if (known === undefined) map.set(name, [found]);
  else known.push(found);
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
