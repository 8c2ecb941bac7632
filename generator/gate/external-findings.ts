/** The findings of another scanner about the proposed builds: a file with its SARIF log, and the part for each build. */
import { readFileSync, statSync } from 'node:fs';
import { MAX_DOCUMENT_BYTES } from '../../format/document/document.ts';
import { FormatError } from '../../format/errors.ts';
import { describeExternal, parseSarif, pathBelow } from '../../format/registry/external-finding.ts';
import type { ExternalFinding } from '../../format/registry/external-finding.ts';
import type { JudgedBuild } from '../../format/registry/gate-verdict.ts';
import { GeneratorError } from '../errors.ts';

const MAX_LISTED = 100;
const HINT = 'pass the SARIF 2.1.0 log that the scanner wrote, of at most 5 MB';

/** @throws {GeneratorError} `ERR_USAGE` when the file is no SARIF log */
export function readExternalFindings(file: string): ExternalFinding[] {
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  const problem =
    size === undefined
      ? 'there is no such file'
      : `it has ${size} bytes, ${MAX_DOCUMENT_BYTES} are read`;
  if (size === undefined || size > MAX_DOCUMENT_BYTES)
    throw new GeneratorError('ERR_USAGE', `Cannot read "${file}": ${problem}`, { hint: HINT });
  try {
    return parseSarif(readFileSync(file), `"${file}"`);
  } catch (cause) {
    if (!(cause instanceof FormatError)) throw cause;
    throw new GeneratorError('ERR_USAGE', cause.message, { hint: HINT, cause });
  }
}

/**
 * Those about files of `build`, as its verdict lists them; those about other files of the repository are left out.
 *
 * @param repo absolute path of the repository that the scanner read
 */
export function externalFindingsOf(
  build: JudgedBuild,
  external: readonly ExternalFinding[],
  repo: string,
): JudgedBuild['findings'] {
  const folder = `builds/${build.id}/`;
  return external
    .flatMap((found) => {
      const path = pathBelow(repo, found.path);
      if (path?.startsWith(folder) !== true) return [];
      const { level, line } = found;
      const message = describeExternal(found);
      return [{ level, code: 'external', file: path.slice(folder.length), line, message }];
    })
    .slice(0, MAX_LISTED);
}
