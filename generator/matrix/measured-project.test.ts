import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Manifest } from '../../format/build/manifest.ts';
import type { Axis } from './combinations.ts';
import {
  nameTypes,
  openRanges,
  pinRanges,
  smallestProject,
  sourceRoot,
  writeProject,
} from './measured-project.ts';

function axis(tag: string, kind: Axis['kind']): Axis {
  return { tag, kind, range: '*', versions: ['1.0.0'] };
}

function record(file: string, base?: string) {
  return { files: [{ path: file, size: 1 }], manifest: { base } as unknown as Manifest };
}

const VERSIONS = { express: '4.10.0', typescript: '4.9.5', node: '22.14.0', fastapi: '0.115.0' };

it('smallestProject() pins packages, compilers for development, and no runtime', () => {
  const axes = [axis('express', 'npm'), axis('typescript', 'npm'), axis('node', 'node')];
  const files = smallestProject(record('src/web/a.ts', 'src/web'), axes, VERSIONS);
  expect(JSON.parse(files['package.json']!)).toMatchObject({
    dependencies: { express: '4.10.0' },
    devDependencies: { typescript: '4.9.5' },
  });
  expect(JSON.parse(files['tsconfig.json']!)).toMatchObject({ include: ['src'] });
  expect(smallestProject(record('a.js'), axes, VERSIONS)['tsconfig.json']).toBeUndefined();
});

it('smallestProject() of a build with pages has the types of React and reads JSX', () => {
  const files = smallestProject(record('ui/a.tsx', 'ui'), [axis('react', 'npm')], {
    react: '19.0.0',
  });
  expect(JSON.parse(files['package.json']!)).toMatchObject({
    dependencies: { react: '19.0.0' },
    devDependencies: { '@types/react': '^19.0.0' },
  });
  expect(JSON.parse(files['tsconfig.json']!)).toMatchObject({
    compilerOptions: { jsx: 'react-jsx' },
  });
  expect(files['ui/styles.d.ts']).toContain('*.css');
});

it('smallestProject() of a Python build has requirements', () => {
  const axes = [axis('fastapi', 'pip'), axis('python', 'python')];
  expect(smallestProject(record('a.py'), axes, VERSIONS)).toEqual({
    'requirements.txt': 'fastapi==0.115.0\n',
  });
});

it('pinRanges() replaces the ranges that openRanges() lists', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stackyard-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const manifest = {
    dependencies: { express: '4.10.0', zod: '>=3.23.0' },
    devDependencies: { '@types/node': '>=18 <28' },
  };
  writeProject(folder, {
    'package.json': JSON.stringify(manifest),
    'tsconfig.json': JSON.stringify({ compilerOptions: {} }),
  });
  expect(openRanges(folder)).toEqual([
    { name: 'zod', range: '>=3.23.0' },
    { name: '@types/node', range: '>=18 <28' },
  ]);
  pinRanges(folder, { zod: '3.23.0', '@types/node': '18.0.0' });
  expect(openRanges(folder)).toEqual([]);
  nameTypes(folder);
  const settings = JSON.parse(readFileSync(join(folder, 'tsconfig.json'), 'utf8')) as object;
  expect(settings).toEqual({ compilerOptions: { types: ['node'] } });
});

it.each([
  ['src/web', 'src'],
  ['lib', 'lib'],
  [undefined, '.'],
])('sourceRoot(%j) is %j', (base, root) => {
  expect(sourceRoot(base)).toBe(root);
});
