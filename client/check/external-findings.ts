/** The findings of another scanner about the folder of a build, from its SARIF log; they never change the verdict. */
import { readFileSync, statSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { MAX_DOCUMENT_BYTES } from '../../format/document/document.ts';
import { FormatError } from '../../format/errors.ts';
import {
  describeExternal,
  parseSarif,
  pathBelow,
  type ExternalFinding,
} from '../../format/registry/external-finding.ts';
import type { Source } from '../../scan/source.ts';
import { ClientError } from '../errors.ts';
import { findWorkspaceRoot } from '../project/workspace-root.ts';
import { oneLine } from '../terminal/printable.ts';
import { span, type StyledText } from '../terminal/styled-text.ts';

export interface ExternalFindings {
  /** About files of the build, with their paths within it. */
  readonly findings: readonly ExternalFinding[];
  /** How many are about other files. */
  readonly outside: number;
}

const MAX_LINES = 100;
const HINT = 'name the SARIF 2.1.0 log that the scanner wrote, of at most 5 MB';

/**
 * @param root absolute path of the build's folder; paths of the log begin there, at the root of the repository, or where the
 *   command runs
 * @param from absolute path of the folder where the command runs
 * @throws {ClientError} `ERR_USAGE` when the file is no SARIF log
 */
export function externalFindings(
  root: string,
  file: string,
  source: Source,
  from: string,
): ExternalFindings {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats?.isFile() !== true || stats.size > MAX_DOCUMENT_BYTES) {
    const problem = stats?.isFile() === true ? `it has ${stats.size} bytes` : 'it is not a file';
    throw new ClientError('ERR_USAGE', `Cannot read "${file}": ${problem}`, { hint: HINT });
  }
  const paths = new Set(source.files.map(({ path }) => path));
  const bases = [root, findWorkspaceRoot(root), from].map((base) => ({
    base,
    prefix: base === root ? '' : `${relative(base, root).split(sep).join('/')}/`,
  }));
  const all = parsed(file);
  const findings = all.flatMap((found) => {
    for (const { base, prefix } of bases) {
      const whole = pathBelow(base, found.path);
      const path = whole?.startsWith(prefix) === true ? whole.slice(prefix.length) : undefined;
      if (path !== undefined && paths.has(path)) return [{ ...found, path }];
    }
    return [];
  });
  return { findings, outside: all.length - findings.length };
}

/** Lines for people. */
export function externalLines({ findings, outside }: ExternalFindings): StyledText[] {
  const more = findings.length - MAX_LINES;
  return [
    [span('strong', 'external')],
    ...findings.slice(0, MAX_LINES).flatMap((found): StyledText[] => {
      const where = `  ${oneLine(found.path)}${found.line === 0 ? '' : `:${found.line}`}`;
      const role = found.level === 'warn' ? 'changed' : 'path';
      return [
        ['  ', span(role, found.level), span('path', where)],
        `      ${oneLine(describeExternal(found))}`,
      ];
    }),
    ...(more > 0 ? [`  and ${more} more`] : []),
    ...(outside > 0 ? [`  ${outside} about files that are not part of the build`] : []),
    ...(findings.length + outside === 0 ? ['  none'] : []),
    '',
  ];
}

function parsed(file: string): ExternalFinding[] {
  try {
    return parseSarif(readFileSync(file), `"${file}"`);
  } catch (cause) {
    if (!(cause instanceof FormatError)) throw cause;
    throw new ClientError('ERR_USAGE', cause.message, { hint: HINT, cause });
  }
}
