/** Items that only name others become no build: what requires such a bundle requires its items. Pure. */
import { itemReferences } from './item-reference.ts';
import type { ItemSource, SourceItem } from './source-item.ts';
import { styleSheet } from './style-sheet.ts';

/** The registry without its bundles, and their names. */
export function withoutBundles(source: ItemSource): {
  readonly source: ItemSource;
  readonly bundles: readonly string[];
} {
  const names = new Set(source.items.map(({ item }) => item.name));
  const bundles = new Map<string, readonly string[]>();
  for (const { item } of source.items.filter(isBundle)) {
    bundles.set(item.name, item.registryDependencies ?? []);
  }
  if (bundles.size === 0) return { source, bundles: [] };
  const items = source.items
    .filter(({ item }) => !bundles.has(item.name))
    .map(({ item, files }) => {
      const named = new Set(item.registryDependencies);
      // The set grows during the loop.
      for (const reference of named) {
        const [bundle] = itemReferences([reference], names, source.address).own;
        const inner = bundle === undefined ? undefined : bundles.get(bundle);
        for (const one of inner ?? []) named.add(one);
      }
      const isKept = (reference: string): boolean => {
        const [own] = itemReferences([reference], names, source.address).own;
        return own === undefined || (own !== item.name && !bundles.has(own));
      };
      return { item: { ...item, registryDependencies: [...named].filter(isKept) }, files };
    });
  return { source: { ...source, items }, bundles: [...bundles.keys()] };
}

function isBundle({ item, files }: SourceItem): boolean {
  const isEmpty = files.length === 0 && styleSheet(item) === undefined;
  return isEmpty && (item.registryDependencies ?? []).length > 0;
}
