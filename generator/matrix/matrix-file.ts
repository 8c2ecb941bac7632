/** `signals/<owner>/<name>.matrix.json` in a working tree, replaced as a whole. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalJson } from '../../format/document/canonical-json.ts';
import { parseDocument } from '../../format/document/document.ts';
import { StackyardError } from '../../format/errors.ts';
import { Matrix, matrixFilePath } from '../../format/index/compatibility.ts';
import { GeneratorError } from '../errors.ts';
import { writeWhole } from '../write-whole.ts';

/**
 * Empty when there is no file.
 * @throws {GeneratorError} `ERR_SIGNALS` for a file that is no matrix
 */
export function readMatrix(repo: string, id: string): Matrix {
  const path = matrixFilePath(id);
  const file = join(repo, path);
  if (!existsSync(file)) return { versions: [] };
  try {
    return parseDocument(Matrix, readFileSync(file), `"${path}"`);
  } catch (cause) {
    if (!(cause instanceof StackyardError)) throw cause;
    const hint = `restore the file: git checkout -- ${path}; or delete it`;
    throw new GeneratorError('ERR_SIGNALS', cause.message, { cause, hint });
  }
}

/** A crash leaves the old file or the new one. */
export function writeMatrix(repo: string, id: string, matrix: Matrix): void {
  writeWhole(join(repo, matrixFilePath(id)), canonicalJson(matrix));
}
