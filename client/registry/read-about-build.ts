/** Documents about one build that few commands read: what was measured, and what was waived. */
import { Compatibility } from '../../format/index/compatibility.ts';
import { compatibilityPath, waiversPath } from '../../format/index/layout.ts';
import { Waivers } from '../../format/index/waivers.ts';
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

/**
 * @returns `undefined` where nothing is waived
 * @throws {ClientError} `ERR_NETWORK`, `ERR_REGISTRY_ANSWER`
 */
export async function readWaivers(registry: Registry, id: string): Promise<Waivers | undefined> {
  return registry.document(Waivers, waiversPath(id), {
    problemOf: (found, url) => {
      return found.id === id ? undefined : badAnswer(url, `it is of "${found.id}"`);
    },
    digestOf: registry.inHead(id, (head) => head.documents?.waivers),
  });
}
