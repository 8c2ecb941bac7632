/** The rows of one version of a build: which are kept, how a new one is added, and the file that has them. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS } from '../../format/duration.ts';
import {
  Matrix,
  MAX_MEASURED_VERSIONS,
  MAX_ROWS,
  rowKey,
  type MatrixRow,
} from '../../format/index/compatibility.ts';
import { compareVersions } from '../../format/version/semver-range.ts';
import { compareTagVersions } from '../../format/version/tag-version.ts';
import { canonicalJson } from '../../format/document/canonical-json.ts';
import { parseDocument } from '../../format/document/document.ts';
import { StackyardError } from '../../format/errors.ts';
import { signalsPath } from '../../format/registry/repository-layout.ts';
import { layoutOf } from '../config.ts';
import { GeneratorError } from '../errors.ts';
import { writeWhole } from '../write-whole.ts';

const STALE_AFTER_DAYS = 30;

/** @param today such as `2026-11-23` */
export function isStale({ date }: MatrixRow, today: string): boolean {
  return Date.parse(today) - Date.parse(date) > STALE_AFTER_DAYS * DAY_MS;
}

export function findRow(
  { versions }: Matrix,
  version: string,
  wanted: Pick<MatrixRow, 'tag' | 'version' | 'others'>,
): MatrixRow | undefined {
  const rows = versions.find((one) => one.version === version)?.results ?? [];
  return rows.find((row) => rowKey(row) === rowKey(wanted));
}

/**
 * Adds the row or replaces that of the same combination, whose `since` stays where the outcome is the same. A version that
 * works with the newest of the others needs no row about the lowest.
 */
export function withRow(matrix: Matrix, version: string, row: Omit<MatrixRow, 'since'>): Matrix {
  const known = matrix.versions.find((one) => one.version === version)?.results ?? [];
  const before = findRow(matrix, version, row);
  const since = before?.outcome === row.outcome ? before.since : row.date;
  const isSettled = row.outcome === 'ok' && row.others === 'newest';
  const kept = known.filter((one) => {
    const isSame = one.tag === row.tag && one.version === row.version;
    return !isSame || (!isSettled && one.others !== row.others);
  });
  const results = newest([...kept, { ...row, since }]).sort(order);
  const others = matrix.versions.filter((one) => one.version !== version);
  const versions = [...others, { version, results }].sort((a, b) =>
    compareVersions(b.version, a.version),
  );
  return { versions: versions.slice(0, MAX_MEASURED_VERSIONS) };
}

/** Both together: of one combination the row that was measured last, of equal days that of `b`. */
export function mergeMatrix(a: Matrix, b: Matrix): Matrix {
  let merged = a;
  for (const { version, results } of b.versions) {
    for (const row of results) {
      const known = findRow(merged, version, row);
      const settled = findRow(merged, version, { ...row, others: 'newest' });
      const isOld = known !== undefined && known.date > row.date;
      // It works with the newest by now.
      const isOver =
        row.others === 'lowest' && settled?.outcome === 'ok' && settled.date >= row.date;
      if (!isOld && !isOver) merged = withRow(merged, version, row);
    }
  }
  return merged;
}

/** Where there are too many, those that were measured last. */
function newest(rows: readonly MatrixRow[]): MatrixRow[] {
  if (rows.length <= MAX_ROWS) return [...rows];
  return rows.toSorted((a, b) => (a.date < b.date ? 1 : -1)).slice(0, MAX_ROWS);
}

function order(a: MatrixRow, b: MatrixRow): number {
  if (a.tag !== b.tag) return a.tag < b.tag ? -1 : 1;
  return compareTagVersions(a.version, b.version) || (a.others < b.others ? 1 : -1);
}

/**
 * Empty when there is no file.
 * @throws {GeneratorError} `ERR_SIGNALS` for a file that is no matrix
 */
export function readMatrix(repo: string, id: string): Matrix {
  const path = signalsPath(id, 'matrix', layoutOf(repo));
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
  const path = signalsPath(id, 'matrix', layoutOf(repo));
  writeWhole(join(repo, path), canonicalJson(matrix));
}
