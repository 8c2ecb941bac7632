import { describe, expect, it } from 'vitest';
import { extensionOf, fileKind, isTestOrExamplePath, isTestPath } from './file-kind.ts';

describe('fileKind()', () => {
  it.each([
    ['a.js', 'code'],
    ['src/A.PY', 'code'],
    ['Makefile', 'code'],
    ['docker/Dockerfile.dev', 'code'],
    ['x.pth', 'code'],
    ['a.json', 'data'],
    ['.npmrc', 'data'],
    ['a.html', 'data'],
    ['README.md', 'prose'],
    ['LICENSE', 'prose'],
    ['js', 'prose'],
  ])('%s: %s', (path, kind) => {
    expect(fileKind(path)).toBe(kind);
  });
});

describe('extensionOf()', () => {
  it.each([
    ['a.JS', 'js'],
    ['a.b/c', ''],
    ['.npmrc', ''],
    ['a.tar.gz', 'gz'],
    ['a.', ''],
    ['', ''],
  ])('%j: %j', (path, extension) => {
    expect(extensionOf(path)).toBe(extension);
  });
});

describe('isTestPath(), isTestOrExamplePath()', () => {
  it.each([
    ['tests/a.js', true, true],
    ['src/__tests__/a.js', true, true],
    ['examples/a.js', true, true],
    ['a.test.ts', true, true],
    ['a.spec.js', true, true],
    ['test_a.py', true, true],
    ['fixtures/a.json', true, true],
    ['mocks/a.js', true, false],
    ['testdata/a.js', true, false],
    ['a_test.go', true, false],
    ['Tests/a.js', true, false],
    ['a.bench.ts', false, true],
    ['conftest.py', false, true],
    ['src/a.js', false, false],
    ['latest/a.js', false, false],
    ['contest.py', false, false],
    ['testing.ts', false, false],
  ])('%s: %j, %j', (path, isTest, isTestOrExample) => {
    expect([isTestPath(path), isTestOrExamplePath(path)]).toEqual([isTest, isTestOrExample]);
  });
});
