import { describe, expect, it } from 'vitest';
import { testBuild } from '../test-build.ts';
import { isCiPath, isDocumentPath, isIdleFile } from './idle-file.ts';

function isIdle(path: string, others: Record<string, string> = {}): boolean {
  return isIdleFile(testBuild({ [path]: 'x', ...others }), path);
}

describe('isIdleFile()', () => {
  it.each([
    'tests/run.sh',
    'fixtures/a.zip',
    'docs/install.md',
    'README.md',
    '.github/workflows/ci.yml',
    'examples/index.js',
  ])('%s', (path) => {
    expect(isIdle(path)).toBe(true);
  });

  it.each(['run.sh', 'src/index.js', 'lib/key.pem'])('not: %s', (path) => {
    expect(isIdle(path)).toBe(false);
  });

  it.each([
    ['tests/run.sh', 'index.js', "spawn('sh', ['tests/run.sh'])"],
    ['tests/run.py', 'lib.py', 'from tests import run'],
    ['tests/run.py', 'lib.py', 'import tests.run'],
    ['tests/run.sh', 'lib.py', 'os.path.join("tests", "run.sh")'],
    ['tests/index.js', 'index.js', "require('./tests')"],
    ['fixtures/a.zip', 'setup.sh', 'unzip fixtures/a.zip'],
    ['tests/run.sh', 'package.json', '{"scripts":{"postinstall":"sh tests/run.sh"}}'],
    ['tests/.run', 'index.js', "abc\nspawn('tests/.run')"],
  ])('not %s, which %s starts: %s', (path, other, text) => {
    expect(isIdle(path, { [other]: text })).toBe(false);
  });

  it.each([
    ['tests/run.sh', 'package.json', '{"scripts":{"test":"sh tests/run.sh"}}'],
    ['tests/run.sh', 'index.js', 'run();\n// see tests'],
    ['tests/run.sh', 'tests/other.js', "spawn('tests/run.sh')"],
    ['tests/run.sh', 'README.md', 'tests/run.sh'],
    ['tests/.run', 'index.js', 'abc\n// see tests'],
  ])('%s, although %s holds: %s', (path, other, text) => {
    expect(isIdle(path, { [other]: text })).toBe(true);
  });

  it('is bounded on large files', () => {
    expect(isIdle('tests/run.sh', { 'a.js': 'tests run '.repeat(400_000) })).toBe(false);
    expect(isIdle('tests/run.sh', { 'a.js': 'testsrun'.repeat(400_000) })).toBe(true);
    expect(isIdle('tests/run.sh', { 'a.js': 'run\n'.repeat(400_000) })).toBe(true);
  });
});

it('reads a file to its end for the name of another', () => {
  const text = `// ${'x'.repeat(5_100_000)}\nspawn('sh', ['tests/run.sh'])`;
  expect(isIdle('tests/run.sh', { 'a.js': text })).toBe(false);
});

describe('isCiPath(), isDocumentPath()', () => {
  it.each([
    ['.github/workflows/a.yml', true, false],
    ['.travis.yml', true, false],
    ['docs/a.pem', false, true],
    ['README.md', false, true],
    ['src/docs.js', false, false],
  ])('%s', (path, isCi, isDocument) => {
    expect([isCiPath(path), isDocumentPath(path)]).toEqual([isCi, isDocument]);
  });
});
