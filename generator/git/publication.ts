/**
 * The rule by which a commit publishes a version, for the index and for the gate:
 *
 * 1. Only the main line counts (first parent), from old to new.
 * 2. The first commit whose build folder is a valid build and whose manifest carries a version publishes it.
 * 3. The same content seen again changes nothing. Other content under the same version is a violation:
 *    the publication stands.
 */
import { MANIFEST_FILE } from '../../format/build/build-files.ts';
import { MAX_MANIFEST_BYTES } from '../../format/build/manifest-json.ts';
import { declaredVersion } from '../../format/build/manifest.ts';
import type { ObjectReader } from './object-reader.ts';

/** What a build folder is to the version that its manifest carries. */
export type CandidateRole = 'publishes-if-valid' | 'repeats' | 'violates';

/**
 * Applies the rule to one build folder.
 * @param tree tree id of the folder
 * @param publication what published the version earlier on the main line, if anything did
 */
export function roleOf(
  tree: string,
  publication: { readonly tree: string } | undefined,
): CandidateRole {
  if (publication === undefined) return 'publishes-if-valid';
  return publication.tree === tree ? 'repeats' : 'violates';
}

/**
 * The version that the manifest of a build folder carries; `undefined` without a manifest or a version.
 * @param tree tree id of the folder
 * @throws {GeneratorError} `ERR_GIT`
 */
export async function readDeclaredVersion(
  reader: ObjectReader,
  tree: string,
): Promise<string | undefined> {
  const object = await reader.read(`${tree}:${MANIFEST_FILE}`, { left: MAX_MANIFEST_BYTES });
  return object?.type === 'blob' && object.bytes !== undefined
    ? declaredVersion(object.bytes)
    : undefined;
}
