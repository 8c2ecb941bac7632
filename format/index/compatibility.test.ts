import fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalJson } from '../document/canonical-json.ts';
import { parseDocument } from '../document/document.ts';
import { FormatError } from '../errors.ts';
import { Compatibility, MATRIX_STEPS, Matrix } from './compatibility.ts';
import type { MatrixRow } from './compatibility.ts';

const GOOD: MatrixRow = {
  tag: 'express',
  version: '5.3.0',
  others: 'newest',
  with: { typescript: '7.0.2' },
  outcome: 'ok',
  date: '2026-11-23',
  since: '2026-11-20',
};
const BAD: MatrixRow = {
  ...GOOD,
  version: '4.10.0',
  outcome: 'failed',
  step: 'types',
  error: ['x'],
};

function read(...results: readonly unknown[]): Matrix {
  const text = JSON.stringify({ versions: [{ version: '1.0.0', results }] });
  return parseDocument(Matrix, new TextEncoder().encode(text), 'the file');
}

it.each([
  ['a failed row without a step', { ...BAD, step: undefined }],
  ['a failed row without an error', { ...BAD, error: undefined }],
  ['a good row with a step', { ...GOOD, step: 'types', error: ['x'] }],
  ['a step that does not exist', { ...BAD, step: 'guess' }],
  ['a version that is none', { ...GOOD, version: 'latest' }],
  ['a name that is no package', { ...GOOD, tag: '../x' }],
  ['a day that does not exist', { ...GOOD, date: '2026-02-30' }],
  ['a first day after the last', { ...GOOD, since: '2026-11-24' }],
  ['control characters in an error', { ...BAD, error: ['\u001b[31mred'] }],
  ['a field that nobody knows', { ...GOOD, note: 'x' }],
])('Matrix refuses %s', (_, row) => {
  expect(() => read(row)).toThrow(FormatError);
});

it('Matrix refuses two rows of one combination, and two entries of one version', () => {
  expect(() => read(GOOD, GOOD)).toThrow(/two rows/);
  expect(read(GOOD, { ...GOOD, others: 'lowest' }).versions[0]?.results).toHaveLength(2);
  const twice = { versions: [1, 2].map(() => ({ version: '1.0.0', results: [] })) };
  expect(Matrix.safeParse(twice).success).toBe(false);
});

it('Compatibility drops fields that a newer registry adds', () => {
  const results = [{ ...GOOD, note: 'x' }];
  const found = Compatibility.parse({ id: 'a/b', versions: [{ version: '1.0.0', results }] });
  expect(found.versions[0]?.results).toEqual([GOOD]);
});

it('Matrix reads what canonicalJson() writes', () => {
  const version = fc.tuple(fc.nat(9), fc.nat(99), fc.nat(9)).map((n) => n.join('.'));
  const row = fc
    .record({
      tag: fc.constantFrom('node', 'express', '@types/node', 'zod'),
      version,
      others: fc.constantFrom('newest' as const, 'lowest' as const),
      with: fc.dictionary(fc.constantFrom('a', 'b'), version),
      step: fc.option(fc.constantFrom(...MATRIX_STEPS), { nil: undefined }),
    })
    .map(({ step, ...one }) => {
      const failed = { outcome: 'failed', step, error: ['error: no'] } as const;
      const ended = step === undefined ? ({ outcome: 'ok' } as const) : failed;
      return { ...one, ...ended, date: '2026-11-23', since: '2026-11-23' };
    });
  const key = (one: Pick<MatrixRow, 'tag' | 'version' | 'others'>): string =>
    `${one.tag} ${one.version} ${one.others}`;
  const rows = fc.uniqueArray(row, { selector: key, maxLength: 8 });
  fc.assert(
    fc.property(rows, (results) => {
      const matrix = { versions: [{ version: '1.0.0', results }] };
      const bytes = new TextEncoder().encode(canonicalJson(matrix));
      expect(canonicalJson(parseDocument(Matrix, bytes, 'the file'))).toBe(canonicalJson(matrix));
    }),
  );
});
