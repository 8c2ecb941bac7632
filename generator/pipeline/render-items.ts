/** Makes and stages the items of one build for shadcn, from its tarballs. */
import { GeneratorError } from '../errors.ts';
import { readTarball } from '../../format/archive/tarball.ts';
import { canonicalJson } from '../../format/document/canonical-json.ts';
import { tarballPath } from '../../format/index/layout.ts';
import { shadcnItemPath, shadcnVersionPath } from '../../format/index/shadcn-path.ts';
import type { ShadcnItem } from '../../format/shadcn/shadcn-item.ts';
import type { VersionFacts } from '../../scan/version-facts.ts';
import { itemEntry, makeItem, type ItemParts } from '../shadcn-item.ts';
import type { Stage } from './emit.ts';

/** A version whose item is to be made. */
export interface ItemVersion extends Pick<ItemParts, 'requires' | 'elsewhere'> {
  readonly version: string;
}

export interface ItemWork {
  /** Of the registry. */
  readonly address: string;
  /** Versions that have no item yet. */
  readonly versions: readonly ItemVersion[];
  /** `undefined` when all are yanked. */
  readonly latest: ItemVersion | undefined;
}

export interface RenderedItems {
  /** Versions that have an item now. */
  readonly versions: readonly string[];
  /** The line of the latest one in the list of all, as JSON. */
  readonly entry: string | undefined;
  /** How many files are new to the index. */
  readonly written: number;
}

export function renderItems(
  id: string,
  facts: readonly VersionFacts[],
  work: ItemWork,
  stage: Stage,
): RenderedItems {
  const itemOf = ({ version, requires, elsewhere }: ItemVersion): ShadcnItem | undefined => {
    const own = facts.find((one) => one.version === version);
    if (own === undefined || own.manifest.kind !== 'module') return undefined;
    const tarball = stage.find(tarballPath(id, version));
    if (tarball === undefined) {
      throw new GeneratorError(
        'ERR_STATE',
        `Cannot make the item of ${id}@${version}: its tarball is in the store`,
        {
          hint: 'run "generate --full"',
        },
      );
    }
    const entries = readTarball(tarball);
    const files = new Map(entries.map(({ path, bytes }) => [path, bytes]));
    return makeItem(own, { id, address: work.address, requires, elsewhere, files });
  };
  let written = 0;
  const add = (path: string, item: ShadcnItem): void => {
    if (stage.add(path, canonicalJson(item))) written += 1;
  };
  const versions: string[] = [];
  for (const one of work.versions) {
    // Of one that is in a store, the run that made it found that it has no item.
    if (stage.find(tarballPath(id, one.version)) === undefined) continue;
    const item = itemOf(one);
    if (item === undefined) continue;
    add(shadcnVersionPath(id, one.version), item);
    versions.push(one.version);
  }
  const latest = work.latest === undefined ? undefined : itemOf(work.latest);
  if (latest !== undefined) add(shadcnItemPath(id), latest);
  const entry = latest === undefined ? undefined : JSON.stringify(itemEntry(latest));
  return { versions, entry, written };
}
