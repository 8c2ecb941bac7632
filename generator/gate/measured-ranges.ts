/** Ranges of a proposed version that the matrix on the base branch proves wrong. They hold nothing up. */
import type { Manifest } from '../../format/build/manifest.ts';
import type { Finding } from '../../format/finding/finding.ts';
import { MAX_MATRIX_BYTES, Matrix, matrixFilePath } from '../../format/index/compatibility.ts';
import { checkStackRanges } from '../../examine/stack-range.ts';
import type { ObjectReader } from '../git/object-reader.ts';
import type { Repository } from '../git/repository.ts';
import { entryAt } from './entry-at.ts';
import { readDocument } from './read-document.ts';

/** @throws {GeneratorError} `ERR_GIT` */
export async function measuredRanges(
  repository: Repository,
  reader: ObjectReader,
  id: string,
  manifest: Manifest,
): Promise<Finding[]> {
  const entry = await entryAt(repository.folder, repository.head, matrixFilePath(id));
  if (entry === undefined || !entry.mode.startsWith('100')) return [];
  const matrix = await readDocument(reader, Matrix, entry.oid, MAX_MATRIX_BYTES);
  // The generator reports a file that cannot be used.
  if (matrix instanceof Error) return [];
  return checkStackRanges(manifest, undefined, matrix.versions);
}
