/**
 * The rule by which a commit publishes a version, for the index and for the gate:
 *
 * 1. Only the main line counts (first parent), from old to new.
 * 2. The first commit whose build folder is a valid build and whose manifest carries a version publishes it.
 * 3. The same content again changes nothing. Other content under the same version is a violation: the first
 *    publication stays.
 * 4. Build metadata makes no second version: a version with the precedence of a publication and another text is
 *    not published, because resolvers could not choose between the two. The first publication stays.
 */
import { MANIFEST_FILE } from '../../format/build/build-files.ts';
import { MAX_MANIFEST_BYTES } from '../../format/build/manifest-json.ts';
import { declaredVersion } from '../../format/build/manifest.ts';
import type { ObjectReader } from './object-reader.ts';

/** The role of a build folder for the version that its manifest declares. */
type CandidateRole = 'publishes-if-valid' | 'repeats' | 'violates' | 'duplicates';

/** A version and the build folder that carries it. */
interface VersionTree {
  readonly version: string;
  /** Tree id of the folder. */
  readonly tree: string;
}

/**
 * Applies the rule to one build folder.
 * @param publication what the main line published earlier with the same precedence, if anything
 */
export function roleOf(
  { version, tree }: VersionTree,
  publication: VersionTree | undefined,
): CandidateRole {
  if (publication === undefined) return 'publishes-if-valid';
  if (publication.version !== version) return 'duplicates';
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
