/** Reads an advisory of a registry: like every document from the cache without network. */
import { OsvEntry } from '../../format/advisory/osv-entry.ts';
import { advisoryPath } from '../../format/index/layout.ts';
import { badAnswer } from './network/fetcher.ts';
import type { Registry } from './registry.ts';

/**
 * @returns `undefined` when the registry does not have it
 * @throws {ClientError} `ERR_NETWORK`, `ERR_REGISTRY_ANSWER`
 */
export async function readAdvisory(registry: Registry, id: string): Promise<OsvEntry | undefined> {
  return registry.document(OsvEntry, advisoryPath(id), {
    problemOf: (found, url) => {
      return found.id === id ? undefined : badAnswer(url, `it is of "${found.id}"`);
    },
  });
}
