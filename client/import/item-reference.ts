/** What `registryDependencies` of an item name: items of the same registry, or those of another. Pure. */
import { tryBuildName } from './build-name.ts';

/** A set, or a map by name. */
type Names = Pick<ReadonlySet<string>, 'has'>;

export interface ItemReferences {
  /** Names of items of the registry. */
  readonly own: readonly string[];
  /** As they are written. */
  readonly foreign: readonly string[];
}

/**
 * @param names of the items of the registry
 * @param address of the registry; `undefined` for a folder
 */
export function itemReferences(
  references: readonly string[],
  names: Names,
  address: string | undefined,
): ItemReferences {
  const own = new Set<string>();
  const foreign = new Set<string>();
  for (const reference of references) {
    const name = ownName(reference, names, address);
    if (name === undefined) foreign.add(reference);
    else own.add(name);
  }
  return { own: [...own], foreign: [...foreign] };
}

function ownName(reference: string, names: Names, address: string | undefined): string | undefined {
  const known = (name: string): string | undefined => (names.has(name) ? name : undefined);
  if (known(reference) !== undefined) return reference;
  if (/^https?:\/\//i.test(reference)) {
    // A folder does not know its address: the name decides.
    const isInside = address === undefined || reference.startsWith(address);
    return isInside ? nameAtEnd(reference, names) : undefined;
  }
  const [, namespace, name = ''] = /^@([^/]+)\/(.+)$/s.exec(reference) ?? [];
  if (namespace !== undefined) return namespace === 'shadcn' ? undefined : known(name);
  return known(reference.replace(/\.json$/, '').replace(/^\.\//, ''));
}

/** The longest name that the path of an address ends with: names may have a `/`, and our items an `@1.0.0`. */
function nameAtEnd(address: string, names: Names): string | undefined {
  const path = /^[^?#]+?\.json(?=[?#]|$)/.exec(address)?.[0].replace(/(?:@[^/@]+)?\.json$/, '');
  const segments = path?.split('/').slice(3) ?? [];
  for (const at of segments.keys()) {
    const name = segments.slice(at).join('/');
    if (names.has(name)) return name;
  }
  return undefined;
}

/** The ids of the builds that items become. */
export function buildIdOf(owner: string, item: string): string {
  return `${owner}/${tryBuildName(item) ?? item}`;
}
