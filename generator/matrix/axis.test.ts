import { expect, it } from 'vitest';
import type { Manifest } from '../../format/build/manifest.ts';
import { axesOf } from './axis.ts';

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
