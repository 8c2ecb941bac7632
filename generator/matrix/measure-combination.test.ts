import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import {
  failedCheck,
  nameTypes,
  openRanges,
  pinRanges,
  smallestProject,
  sourceRoot,
  writeProject,
  chooseVersions,
} from './measure-combination.ts';
import type { Manifest } from '../../format/build/manifest.ts';
import type { Axis } from './available-versions.ts';

const TESTS = [
  { command: 'npx tsc --noEmit', status: 0 },
  { command: 'npm test', status: 1 },
  { command: 'npm run lint', status: 0 },
];

it('failedCheck() finds the output of the first command that failed', () => {
  const stderr =
    'a/b: npx tsc --noEmit\na/b: npm test\nFAIL src/a.test.ts\n1 failed\na/b: npm run lint\n';
  expect(failedCheck({ stdout: JSON.stringify({ data: { tests: TESTS } }), stderr })).toBe(
    'npm test ended with status 1\nFAIL src/a.test.ts\n1 failed',
  );
});

it('failedCheck() names files that differ where no command failed', () => {
  const differences = [{ path: 'src/a.ts', state: 'missing' }];
  const stdout = JSON.stringify({ data: { tests: [], differences } });
  expect(failedCheck({ stdout, stderr: 'x' })).toBe('Error: src/a.ts is missing');
});

it('failedCheck() passes on what is no answer of the client', () => {
  expect(failedCheck({ stdout: '', stderr: 'error: no [ERR_LOCK]' })).toBe('error: no [ERR_LOCK]');
});

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

const EXPRESS = [
  '5.0.0',
  '4.9.8',
  '4.10.0',
  '4.22.1',
  '5.3.0',
  '5.0.0-beta.1',
  '3.21.2',
  '6.0.0-rc.1',
];
const TYPESCRIPT = ['1.8.10', '2.9.2', '3.9.10', '4.8.4', '4.9.5', '5.9.3', '6.0.3', '7.0.2'];

it.each([
  ['>=4.10.0', EXPRESS, ['4.10.0', '4.22.1', '5.3.0']],
  ['^5.3.0', EXPRESS, ['5.3.0']],
  ['>=7.0.0', EXPRESS, []],
  ['*', TYPESCRIPT, ['4.9.5', '5.9.3', '6.0.3', '7.0.2']],
  ['*', ['1.0.0', '1.2.0'], ['1.2.0']],
  ['>=0.100,<1', ['0.99.0', '0.100.0', '0.115.2', '1.0', '0.116rc1'], ['0.100.0', '0.115.2']],
])('chooseVersions() of %j', (range, available, wanted) => {
  expect(chooseVersions(range, available)).toEqual(wanted);
  expect(chooseVersions(range, available.toReversed())).toEqual(wanted);
});
