import { expect, it } from 'vitest';
import { combinationsOf, keyOf, withLowest, axesOf, type Axis } from './combinations.ts';
import type { Manifest } from '../../format/build/manifest.ts';

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

it('axesOf() has packages, and no tag that builds promise', () => {
  const manifest = {
    stack: { requires: { auth: '*', database: '*', typescript: '*' } },
    dependencies: { npm: { zod: '>=3' } },
  } as unknown as Manifest;
  const found = axesOf({ files: [{ path: 'index.ts', size: 1 }], manifest });
  expect(found.map(({ tag }) => tag)).toEqual(['typescript', 'zod']);
});

it('combinationsOf() gives packages of one scope the same major', () => {
  const scoped = (tag: string): Axis => ({
    tag,
    kind: 'npm',
    range: '*',
    versions: ['10.0.0', '10.4.0', '12.0.0'],
  });
  const all = combinationsOf([scoped('@nest/a'), scoped('@nest/b'), scoped('zod')]);
  const old = all.find(({ tag, version }) => tag === '@nest/a' && version === '10.0.0');
  expect(old?.versions).toEqual({ '@nest/a': '10.0.0', '@nest/b': '10.4.0', zod: '12.0.0' });
});
