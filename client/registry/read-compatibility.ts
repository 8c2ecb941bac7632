/** Reads what a registry has measured about the ranges of a build. */
import { Compatibility } from '../../format/index/compatibility.ts';
import { compatibilityPath } from '../../format/index/layout.ts';
import { badAnswer } from './network/fetcher.ts';
import type { Registry } from './registry.ts';

/**
 * @returns `undefined` where nothing was measured
 * @throws {ClientError} `ERR_NETWORK`, `ERR_REGISTRY_ANSWER`
 */
export async function readCompatibility(
  registry: Registry,
  id: string,
): Promise<Compatibility | undefined> {
  return registry.document(Compatibility, compatibilityPath(id), {
    problemOf: (found, url) => {
      return found.id === id ? undefined : badAnswer(url, `it is of "${found.id}"`);
    },
    digestOf: registry.inHead(id, (head) => head.documents?.compatibility),
  });
}
