/** The most used packages of both registries, as lists that `tools/generated-file.ts` wrote. */
import npm from './popular-npm.json' with { type: 'json' };
import pip from './popular-pip.json' with { type: 'json' };
import { NearNames } from './near-name.ts';

export type Registry = 'npm' | 'pip';

const LISTS = { npm, pip };
const built = new Map<Registry, NearNames>();

/** The popular packages of `registry`, for the search for names that people mistake for one; built at first use. */
export function popularNames(registry: Registry): NearNames {
  const known = built.get(registry);
  if (known !== undefined) return known;
  const { names, benign } = LISTS[registry];
  const made = new NearNames(names, benign);
  built.set(registry, made);
  return made;
}
