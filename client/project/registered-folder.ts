/** Which build a folder is by its path in the repository of a registry. */
import { readFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import {
  BUILDS_FOLDER,
  CONFIG_FILE,
  layoutIn,
  placeAt,
} from '../../format/registry/repository-layout.ts';
import type { Layout } from '../../format/registry/repository-layout.ts';

/** How many folders up `builds` can be: of the sharded layout, then of the flat one. */
const DEPTHS = [5, 3];

/**
 * Owner and name by a path such as `builds/<owner>/<name>`; `undefined` for a folder elsewhere.
 * @param folder absolute
 */
export function registeredFolder(folder: string): { owner: string; name: string } | undefined {
  for (const depth of DEPTHS) {
    let builds = folder;
    for (let up = 1; up < depth; up += 1) builds = dirname(builds);
    if (basename(builds) !== BUILDS_FOLDER) continue;
    const root = dirname(builds);
    // Without a configuration beside "builds", the folder may be any project's: then it has the flat form.
    const layout = depth === 3 ? 'flat' : layoutOf(root);
    const place = placeAt(relative(root, folder).split(sep).join('/'), layout);
    if (place.kind !== 'build' || place.file !== '') continue;
    return { owner: place.owner, name: place.name };
  }
  return undefined;
}

function layoutOf(root: string): Layout {
  try {
    return layoutIn(readFileSync(join(root, CONFIG_FILE)));
  } catch {
    return 'flat';
  }
}
