/** Documents about one build that few commands read: what was measured, and what was waived. */
import { Compatibility } from '../../format/index/compatibility.ts';
import { compatibilityPath, waiversPath } from '../../format/index/layout.ts';
import { Waivers } from '../../format/index/waivers.ts';
import { ClientError } from '../errors.ts';
import { badAnswer } from '../registry/cached.ts';
import type { Registry } from '../registry/registry.ts';

/**
 * @returns `undefined` where nothing was measured
 * @throws {ClientError} `ERR_NETWORK`, `ERR_REGISTRY_ANSWER`
 */
export async function readCompatibility(
  registry: Registry,
  id: string,
): Promise<Compatibility | undefined> {
  return registry.document(Compatibility, compatibilityPath(id), {
    problemOf: otherThan(id),
    digestOf: registry.inHead(id, (head) => head.documents?.compatibility),
  });
}

/**
 * @returns `undefined` where nothing is waived
 * @throws {ClientError} `ERR_NETWORK`, `ERR_REGISTRY_ANSWER`
 */
export async function readWaivers(registry: Registry, id: string): Promise<Waivers | undefined> {
  return registry.document(Waivers, waiversPath(id), {
    problemOf: otherThan(id),
    digestOf: registry.inHead(id, (head) => head.documents?.waivers),
  });
}

/** Finds a document that is about something else. */
export function otherThan(
  id: string,
): (found: { id: string }, url: string) => ClientError | undefined {
  return (found, url) => (found.id === id ? undefined : badAnswer(url, `it is of "${found.id}"`));
}

/** `undefined` where it is not known: what is optional never keeps the rest from being shown. */
export async function optional<Found>(read: () => Promise<Found>): Promise<Found | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ClientError) || error.code === 'ERR_LOG') throw error;
    return undefined;
  }
}
