/**
 * The modules of all items, by the names that code of items may call them: at their place in the project, by the alias
 * `@/`, and at their place in the registry (`@/registry/new-york/ui/button`, `../ui/button`). Pure.
 */
import {
  joinPath,
  resolvePath,
  folderOf as layoutFolderOf,
  relativePath,
  applyEdits,
} from '../plan/place/layout.ts';
import { findSpecifiers, type Specifier } from '../plan/place/javascript-specifiers.ts';
import type { SourceFile } from './item-reference.ts';

/** A file of an item. */
interface ItemModule {
  readonly item: string;
  /** In the registry. */
  readonly source: string;
  /** In the project. */
  readonly place: string;
}

/** A module that a name reaches, called as in the name: with or without its ending, or as a folder. */
interface FoundModule {
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
function projectAlias(specifier: string): string | undefined {
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

/** Rewrites the imports of a file of an item to relative ones, as `add --to` does for the files of a build. Pure. */
interface RewrittenFile {
  readonly content: string;
  /** Items whose modules it imports. */
  readonly uses: readonly string[];
  /** Packages that it imports, and names by an alias that no item has. */
  readonly packages: readonly string[];
  readonly unresolved: readonly string[];
  /** Whether its code could not be read. */
  readonly isUnread: boolean;
}

const SCRIPT = /\.(?:[mc]?[jt]s|[jt]sx)$/;
const MIXED = /\.(?:vue|svelte|astro)$/;
const SCRIPT_PART = /<script\b[^>]*>([\s\S]*?)<\/script>/dg;
const FRONT_MATTER = /^\s*---\r?\n([\s\S]*?)\r?\n---/d;

/** @param prefer the items in the order in which they are taken where several have a module */
export function rewriteImports(
  { source, place }: ItemModule,
  content: string,
  index: ModuleIndex,
  prefer: readonly string[],
): RewrittenFile {
  const found = specifiersOf(place, content);
  const edits: { start: number; end: number; text: string }[] = [];
  const [uses, packages, unresolved] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const { value, start, end } of found ?? []) {
    const [, name = '', query = ''] = /^([^?]*)(\?.*)?$/s.exec(value) ?? [];
    const module = choose(index.find(name, source, place), prefer);
    if (module !== undefined) {
      uses.add(module.item);
      const text = relativePath(layoutFolderOf(place), module.path) + query;
      if (text !== value) edits.push({ start, end, text });
      continue;
    }
    if (!/^(?:[@~]\/|\.)/.test(name)) {
      packages.add(name);
      continue;
    }
    const alias = projectAlias(name);
    if (alias !== undefined) edits.push({ start, end, text: alias + query });
    unresolved.add(alias ?? name);
  }
  return {
    content: applyEdits(content, edits),
    uses: [...uses],
    packages: [...packages],
    unresolved: [...unresolved],
    isUnread: found === undefined,
  };
}

/** `undefined` for code with a syntax error; empty for a file without code. */
function specifiersOf(path: string, content: string): readonly Specifier[] | undefined {
  if (SCRIPT.test(path)) return findSpecifiers(path, content)?.specifiers;
  if (!MIXED.test(path)) return [];
  const all: Specifier[] = [];
  for (const { start, text } of scripts(path, content)) {
    const found = findSpecifiers(`${path}.ts`, text);
    if (found === undefined) return undefined;
    for (const { value, start: at, end, quote } of found.specifiers) {
      all.push({ value, start: at + start, end: end + start, quote });
    }
  }
  return all;
}

/** The parts of a component that are TypeScript. */
function scripts(path: string, content: string): { start: number; text: string }[] {
  const parts = [...content.matchAll(SCRIPT_PART)];
  const front = path.endsWith('.astro') ? FRONT_MATTER.exec(content) : null;
  return [...(front === null ? [] : [front]), ...parts].map((match) => {
    return { start: match.indices?.[1]?.[0] ?? 0, text: match[1] ?? '' };
  });
}

function choose(found: readonly FoundModule[], prefer: readonly string[]): FoundModule | undefined {
  for (const item of prefer) {
    const own = found.find((one) => one.item === item);
    if (own !== undefined) return own;
  }
  return found[0];
}

/** Folders below the root of sources, as the aliases of a new project have them. */
const ALIAS_FOLDERS: Readonly<Record<string, string>> = {
  ui: 'components/ui',
  components: 'components',
  hooks: 'hooks',
  lib: 'lib',
};

const TYPE_FOLDERS: Readonly<Record<string, string>> = {
  'registry:ui': 'components/ui',
  'registry:lib': 'lib',
  'registry:hook': 'hooks',
};

/**
 * The path in the project, which may still be one that no build may have.
 * @param root the folder of sources, such as `src`; "" without one
 */
export function projectPath({ path, type, target }: SourceFile, root: string): string {
  if (target !== undefined && target !== '') return targetPath(target, root);
  const folder = TYPE_FOLDERS[type] ?? 'components';
  return joinPath(root, joinPath(folder, pathWithin(path, folder)));
}

function targetPath(target: string, root: string): string {
  if (target.startsWith('~/')) return target.slice(2);
  const [, alias = '', rest = ''] = /^@([^/]+)\/(.+)$/s.exec(target) ?? [];
  const folder = Object.hasOwn(ALIAS_FOLDERS, alias) ? ALIAS_FOLDERS[alias] : undefined;
  if (folder !== undefined) return joinPath(root, joinPath(folder, rest));
  return root === '' ? target : joinPath(root, target.replace(/^src\//, ''));
}

/** What follows the last folder of `folder` in `path`; its name where it has no such folder. */
function pathWithin(path: string, folder: string): string {
  const segments = path.split('/').filter((segment) => segment !== '');
  const at = segments.indexOf(folder.split('/').at(-1) ?? '');
  return at < 0 ? (segments.at(-1) ?? '') : segments.slice(at + 1).join('/');
}
