/** A build that requires others, with the chain of builds that led to it. */
import type { Demand, Requirer } from './conflict.ts';

/**
 * The build `id` at `version`. Its chain is computed when it is read: most are not.
 * @param demands by id: the demands on each chosen build
 */
export function requirerOf(
  demands: ReadonlyMap<string, readonly Demand[]>,
  id: string,
  version: string,
): Requirer {
  return {
    id,
    version,
    get chain() {
      return chainOf(demands, id);
    },
  };
}

function chainOf(demands: ReadonlyMap<string, readonly Demand[]>, id: string): string[] {
  const chain: string[] = [];
  const seen = new Set([id]);
  for (let at: string | undefined = id; at !== undefined;) {
    const ofThis: readonly Demand[] = demands.get(at) ?? [];
    if (ofThis.some(({ by }) => by === undefined)) break;
    at = ofThis.find(({ by }) => by !== undefined && !seen.has(by.id))?.by?.id;
    if (at === undefined) break;
    seen.add(at);
    chain.push(at);
  }
  return chain;
}
