import { expect, it } from 'vitest';
import type { MatrixRow } from '../../format/index/compatibility.ts';
import { findRow, isStale, mergeMatrix, withRow } from './matrix-rows.ts';

const ROW: Omit<MatrixRow, 'since'> = {
  tag: 'express',
  version: '5.3.0',
  others: 'newest',
  with: {},
  outcome: 'ok',
  date: '2026-11-23',
};
const FAILED = { ...ROW, outcome: 'failed', step: 'types', error: ['x'] } as const;
const failed = (changes: Partial<MatrixRow> = {}) => ({ ...FAILED, error: ['x'], ...changes });

it('withRow() keeps "since" while the outcome stays', () => {
  const first = withRow({ versions: [] }, '1.0.0', ROW);
  const later = withRow(first, '1.0.0', { ...ROW, date: '2026-12-23' });
  expect(findRow(later, '1.0.0', ROW)).toMatchObject({ date: '2026-12-23', since: '2026-11-23' });
  const broken = withRow(later, '1.0.0', failed({ date: '2027-01-01' }));
  expect(findRow(broken, '1.0.0', ROW)).toMatchObject({ outcome: 'failed', since: '2027-01-01' });
});

it('withRow() drops the row about the lowest when the newest works', () => {
  let matrix = withRow({ versions: [] }, '1.0.0', failed());
  matrix = withRow(matrix, '1.0.0', { ...ROW, others: 'lowest' });
  expect(matrix.versions[0]?.results.map(({ others }) => others)).toEqual(['newest', 'lowest']);
  expect(withRow(matrix, '1.0.0', ROW).versions[0]?.results).toHaveLength(1);
});

it('withRow() sorts versions of the build, tags and their versions', () => {
  let matrix = withRow({ versions: [] }, '1.0.0', ROW);
  for (const [build, tag, version] of [
    ['1.10.0', 'zod', '3.0.0'],
    ['1.10.0', 'express', '4.10.0'],
    ['1.10.0', 'express', '4.9.0'],
  ] as const) {
    matrix = withRow(matrix, build, { ...ROW, tag, version });
  }
  expect(matrix.versions.map(({ version }) => version)).toEqual(['1.10.0', '1.0.0']);
  const rows = matrix.versions[0]!.results.map(({ tag, version }) => `${tag} ${version}`);
  expect(rows).toEqual(['express 4.9.0', 'express 4.10.0', 'zod 3.0.0']);
});

it.each([
  ['2026-12-23', false],
  ['2026-12-24', true],
])('isStale() on %s is %s', (today, answer) => {
  expect(isStale({ ...ROW, since: ROW.date }, today)).toBe(answer);
});

it('mergeMatrix() takes the row that was measured last, and adds what only one has', () => {
  const old = withRow({ versions: [] }, '1.0.0', { ...ROW, date: '2026-01-01' });
  const newer = withRow({ versions: [] }, '1.0.0', failed({ date: '2026-02-01' }));
  const other = withRow({ versions: [] }, '1.1.0', { ...ROW, tag: 'zod' });
  for (const merged of [mergeMatrix(old, newer), mergeMatrix(newer, old)]) {
    expect(findRow(merged, '1.0.0', ROW)).toMatchObject({ outcome: 'failed' });
  }
  expect(mergeMatrix(old, other).versions.map(({ version }) => version)).toEqual([
    '1.1.0',
    '1.0.0',
  ]);
  expect(mergeMatrix(other, other)).toEqual(other);
});

it('mergeMatrix() leaves out a row about the lowest where the newest works by now', () => {
  const lowest = withRow({ versions: [] }, '1.0.0', {
    ...ROW,
    others: 'lowest',
    date: '2026-01-01',
  });
  const settled = withRow({ versions: [] }, '1.0.0', { ...ROW, date: '2026-02-01' });
  for (const merged of [mergeMatrix(lowest, settled), mergeMatrix(settled, lowest)]) {
    expect(merged.versions[0]?.results.map(({ others }) => others)).toEqual(['newest']);
  }
});
