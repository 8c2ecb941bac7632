import { expect, it } from 'vitest';
import fc from 'fast-check';
import {
  combinationsOf,
  keyOf,
  withLowest,
  axesOf,
  errorLines,
  type Axis,
} from './available-versions.ts';
import type { Manifest } from '../../format/build/manifest.ts';
import { Matrix } from '../../format/index/compatibility.ts';

const axis = (tag: string, ...versions: string[]): Axis => {
  return { tag, kind: 'npm', range: '*', versions };
};
const AXES = [axis('express', '4.10.0', '5.3.0'), axis('zod', '3.23.0', '4.6.7')];

it('combinationsOf() varies one tag at a time, the newest of all first', () => {
  const found = combinationsOf(AXES);
  expect(found.map(({ tag, version }) => `${tag} ${version}`)).toEqual([
    'express 5.3.0',
    'zod 4.6.7',
    'express 4.10.0',
    'zod 3.23.0',
  ]);
  expect(found[2]?.versions).toEqual({ express: '4.10.0', zod: '4.6.7' });
  expect(keyOf(found[0]!)).toBe(keyOf(found[1]!));
});

it('withLowest() takes the lowest of the others', () => {
  const [, , express] = combinationsOf(AXES);
  const lowest = { express: '4.10.0', zod: '3.23.0' };
  expect(withLowest(AXES, express!, false)).toMatchObject({ others: 'lowest', versions: lowest });
  const [only] = combinationsOf([axis('node', '22.14.0')]);
  expect(withLowest([axis('node', '22.14.0')], only!, false)).toBeUndefined();
  expect(withLowest([axis('node', '22.14.0')], only!, true)).toMatchObject({ others: 'lowest' });
});

function axes(file: string, manifest: Partial<Manifest>): string[] {
  const record = { files: [{ path: file, size: 1 }], manifest: manifest as Manifest };
  return axesOf(record).map(({ tag, kind, range }) => `${kind} ${tag} ${range}`);
}

it('axesOf() reads stack tags and packages, sorted', () => {
  const manifest = {
    stack: { requires: { node: '>=22', express: '>=4' } },
    dependencies: { npm: { zod: '>=3' } },
  };
  expect(axes('index.ts', manifest)).toEqual(['npm express >=4', 'node node >=22', 'npm zod >=3']);
});

it('axesOf() of a Python build takes stack tags for distributions', () => {
  const manifest = {
    stack: { requires: { python: '>=3.11.0', fastapi: '>=0.100.0' } },
    dependencies: { pip: { 'Uvicorn[standard]': '>=0.30' } },
  };
  expect(axes('x.py', manifest)).toEqual([
    'pip fastapi >=0.100.0',
    'python python >=3.11.0',
    'pip uvicorn >=0.30',
  ]);
});

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
