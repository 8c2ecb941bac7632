/** The findings of another scanner about the proposed builds: a file with its SARIF log, and the part for each build. */
import { readFileSync, statSync } from 'node:fs';
import { isFilePath } from '../../format/build/file-path.ts';
import { MAX_DOCUMENT_BYTES } from '../../format/document/document.ts';
import { FormatError } from '../../format/errors.ts';
import { describeExternal, parseSarif, pathBelow } from '../../format/registry/external-finding.ts';
import type { ExternalFinding } from '../../format/registry/external-finding.ts';
import type { JudgedBuild } from '../../format/registry/gate-verdict.ts';
import { buildFolder } from '../../format/registry/repository-layout.ts';
import type { Layout } from '../../format/registry/repository-layout.ts';
import { GeneratorError } from '../errors.ts';

const MAX_LISTED = 100;
const HINT = 'pass the SARIF 2.1.0 log that the scanner wrote, of at most 5 MB';

/** @throws {GeneratorError} `ERR_USAGE` when the file is no SARIF log */
export function readExternalFindings(file: string): ExternalFinding[] {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats?.isFile() !== true || stats.size > MAX_DOCUMENT_BYTES) {
    const problem = stats?.isFile() === true ? `it has ${stats.size} bytes` : 'it is not a file';
    throw new GeneratorError('ERR_USAGE', `Cannot read "${file}": ${problem}`, { hint: HINT });
  }
  try {
    return parseSarif(readFileSync(file), `"${file}"`);
  } catch (cause) {
    if (!(cause instanceof FormatError)) throw cause;
    throw new GeneratorError('ERR_USAGE', cause.message, { hint: HINT, cause });
  }
}

/**
 * Those about files of a build, as its verdict lists them; those about other files of the repository are left out.
 *
 * @param repo absolute path of the repository that the scanner read
 */
export function externalFindingsOf(
  id: string,
  external: readonly ExternalFinding[],
  repo: string,
  layout: Layout,
): JudgedBuild['findings'] {
  const folder = `${buildFolder(id, layout)}/`;
  return external
    .flatMap((found) => {
      const path = pathBelow(repo, found.path);
      const file = path?.startsWith(folder) === true ? path.slice(folder.length) : '';
      // No build has a file with another path.
      if (!isFilePath(file)) return [];
      const { level, line } = found;
      return [{ level, code: 'external', file, line, message: describeExternal(found) }];
    })
    .slice(0, MAX_LISTED);
}
