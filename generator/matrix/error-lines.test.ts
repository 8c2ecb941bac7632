import { expect, it } from 'vitest';
import fc from 'fast-check';
import { Matrix } from '../../format/index/compatibility.ts';
import { errorLines } from './error-lines.ts';

it('errorLines() begins where the error begins, without colours, paths and noise', () => {
  const output = `npm warn deprecated x\n> tsc\nchecking\n\u001b[31m/tmp/p/src/a.ts(1,2): error TS1: no\u001b[0m\r\n  at x\n   ^^^\nlast`;
  expect(errorLines(output, ['/tmp/p'])).toEqual([
    './src/a.ts(1,2): error TS1: no',
    '  at x',
    'last',
  ]);
});

it('errorLines() of nothing is a line', () => {
  expect(errorLines(' \n', [])).toEqual(['it wrote nothing']);
});

it('errorLines() writes what Matrix reads, whatever a program prints', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 600 }), (output) => {
      const date = '2026-11-23';
      const common = { tag: 'x', version: '1.0.0', others: 'newest', with: {}, date, since: date };
      const row = { ...common, outcome: 'failed', step: 'types', error: errorLines(output, []) };
      expect(Matrix.safeParse({ versions: [{ version: '1.0.0', results: [row] }] }).success).toBe(
        true,
      );
    }),
  );
});
