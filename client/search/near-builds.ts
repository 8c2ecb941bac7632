/** The build that a misspelt id may mean. */
import { distance } from 'fastest-levenshtein';
import { ClientError } from '../errors.ts';
import type { Registries } from '../registry/registries.ts';
import { listBuilds } from './search-catalog.ts';

/** Letters that may differ; more would be another word. */
const MAX_DISTANCE = 2;

/** `did you mean "stackyard/account"? `, before another hint; empty where nothing is near. */
export async function nearHint(registries: Registries, id: string): Promise<string> {
  let best: { readonly id: string; readonly far: number } | undefined;
  try {
    await listBuilds(registries.entryOf(id).registry, 0, (build) => {
      const far = farFrom(id, build.id);
      if (far === undefined || build.yanked || build.id === id) return false;
      const order = far - (best?.far ?? Infinity);
      if (order < 0 || (order === 0 && build.id < best!.id)) best = { id: build.id, far };
      return false;
    });
  } catch (error) {
    // The suggestion is optional: a registry may have no catalog, or be cut off from now on.
    if (!(error instanceof ClientError) || error.code === 'ERR_LOG') throw error;
  }
  return best === undefined ? '' : `did you mean "${best.id}"? `;
}

/** The error for a build that the registry does not have, with the nearest one. */
export async function noBuildNear(registries: Registries, id: string): Promise<ClientError> {
  const problem = `There is no build "${id}" in ${registries.entryOf(id).registry.base}`;
  const near = await nearHint(registries, id);
  return new ClientError('ERR_BUILD_NOT_FOUND', problem, {
    hint: `${near}check the id, or look for it: stackyard search ${id.split('/')[1]}`,
  });
}

/** How far two ids are apart: by letters, or by owner alone; `undefined` when they are not near. */
function farFrom(wanted: string, known: string): number | undefined {
  // Most ids of a large catalog are sorted out by their length.
  if (Math.abs(wanted.length - known.length) <= MAX_DISTANCE) {
    const far = distance(wanted, known);
    if (far <= Math.min(MAX_DISTANCE, Math.floor(wanted.length / 4))) return far;
  }
  return wanted.slice(wanted.indexOf('/')) === known.slice(known.indexOf('/'))
    ? MAX_DISTANCE + 1
    : undefined;
}
